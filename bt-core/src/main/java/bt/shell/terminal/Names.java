package bt.shell.terminal;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.Scheduler.Worker;
import bt.client.Bigtable;
import bt.client.ServerInfo;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What there is to be named in a cluster, as it is now; nothing where it does not answer soon. One thread. */
final class Names {
    /** Who completes a word does nothing else meanwhile; a command has a minute. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final Bigtable bigtable;
    private final Scheduler scheduler;

    Names(Bigtable bigtable, Scheduler scheduler) {
        this.bigtable = bigtable;
        this.scheduler = scheduler;
    }

    List<String> tables() {
        return ofAnswer(
                () -> bigtable.admin().tables().stream().map(TableSchema::name).toList());
    }

    List<String> droppedTables() {
        return ofAnswer(() -> bigtable.admin().droppedTables().stream()
                .map(table -> table.schema().name())
                .distinct()
                .toList());
    }

    List<String> families(String table) {
        return ofAnswer(() -> bigtable.admin().tables().stream()
                .filter(schema -> schema.name().equals(table))
                .flatMap(schema -> schema.families().stream())
                .map(FamilySchema::name)
                .toList());
    }

    List<String> servers() {
        return ofAnswer(() -> bigtable.admin().clusterStatus().servers().stream()
                .map(ServerInfo::address)
                .toList());
    }

    /** Asks a cluster. */
    @FunctionalInterface
    private interface Question {
        List<String> ask() throws BigtableException;
    }

    /** Who completes a word is shown no error: the command itself will say it. */
    private List<String> ofAnswer(Question question) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        Worker asking = scheduler.start("bt-names", () -> {
            try {
                answer.complete(question.ask());
            } catch (BigtableException | RuntimeException | Error failed) {
                answer.completeExceptionally(failed);
            }
        });
        try {
            return scheduler.await(answer, PATIENCE_MILLIS);
        } catch (BigtableException silent) {
            return List.of();
        } catch (InterruptedException givenUp) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            asking.interrupt();
        }
    }
}
