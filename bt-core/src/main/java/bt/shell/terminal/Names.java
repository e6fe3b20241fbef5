package bt.shell.terminal;

import bt.base.BigtableException;
import bt.client.Bigtable;
import bt.client.ServerInfo;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import java.util.List;

/** What there is to be named in a cluster, as it is now; nothing where it does not answer. One thread. */
final class Names {
    private final Bigtable bigtable;

    Names(Bigtable bigtable) {
        this.bigtable = bigtable;
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
    private static List<String> ofAnswer(Question question) {
        try {
            return question.ask();
        } catch (BigtableException silent) {
            return List.of();
        }
    }
}
