package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.command.Invocation;
import bt.command.Kept;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.testing.SimCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class GcCommandSimTest {
    private static final String AT = "zk://test/gc";

    private final SimCluster cluster = new SimCluster(17, 1 << 20);
    private final LockService locks = cluster.ports().locks();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void whatADrySweepSawIsPrinted() {
        live(client -> {
            assertThat(run(client)).isZero();
            assertThat(out.toString(UTF_8)).startsWith("sweep\t").contains("due\t0 files");
        });
    }

    @Test
    void aSweepWhoseMasterHasEndedBeforeItCouldTellHasFailed() {
        live(client -> {
            Scheduler.Worker unused = cluster.scheduler().start("killer", this::killWhenSwept);
            assertThatThrownBy(() -> run(client))
                    .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                            .isEqualTo(Outcome.UNKNOWN))
                    .hasMessageContaining("sweep/dry is done, and the master that did it has ended");
            assertThat(out.toString(UTF_8)).isEmpty();
        });
    }

    /** The wish lies in the lock service from when the sweep is asked for until it is done. */
    private void killWhenSwept() throws InterruptedException {
        try {
            while (!isAskedFor()) {
                cluster.scheduler().pause(1);
            }
            while (isAskedFor()) {
                cluster.scheduler().pause(1);
            }
            cluster.crashActiveMaster();
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    private boolean isAskedFor() throws BigtableException {
        return !locks.children(Paths.SWEEPS).isEmpty();
    }

    private int run(Bigtable client) throws BigtableException, InterruptedException {
        GcCommand command = new GcCommand();
        CommandLine.ParseResult unused = new CommandLine(command).parseArgs("--dry-run");
        try (Kept kept = new Kept()) {
            Bigtable known = kept.get(Bigtable.class, AT, () -> client);
            assertThat(known).isSameAs(client);
            return command.run(new Invocation(
                    Map.of("at", AT),
                    Set.of(),
                    false,
                    new PrintStream(out, true, UTF_8),
                    new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
                    Path.of("."),
                    kept));
        } catch (BigtableException | InterruptedException failed) {
            throw failed;
        } catch (Exception other) {
            throw new AssertionError(other);
        }
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private void live(Story story) {
        cluster.startMaster();
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(20), () -> {
            try {
                Bigtable client = cluster.client();
                // A cluster that serves has begun to sweep.
                var unused = client.admin().clusterStatus();
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
