package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.CompactionPlan;
import bt.tablet.Compactions;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A read looks at every file: were there no bound, it would wait for all that others have written. */
class CrowdedTabletTest {
    private final CommitFixture server;
    private int writes;

    CrowdedTabletTest() throws BigtableException {
        server = CommitFixture.of(1);
    }

    @Test
    void itTakesWritesAgainWhenFilesAreMerged() {
        server.run(() -> {
            crowd();
            Compactions compactions = server.hosted.tablet().compactions();
            for (CompactionPlan plan : compactions.planMajor()) {
                server.hosted.tablet().install(server.hosted.tablet().prepare(compactions.write(plan, bytes -> {})));
            }
            assertThat(until(result -> result.failure().isEmpty()).failure()).isEmpty();
        });
    }

    @Test
    void itTakesWritesWhileItsFilesCannotBeMerged() {
        server.run(() -> {
            crowd();
            server.faults = (operation, path) -> path.startsWith("data/") ? new Fault(0, Failure.INSTEAD) : Faults.NONE;
            server.host.merger.look(server.hosted);
            assertThat(until(result -> result.failure().isEmpty()).failure()).isEmpty();
        });
    }

    /** Writes and flushes, until it takes no more. */
    private void crowd() throws BigtableException, InterruptedException {
        while (!server.hosted.tablet().compactions().areFarBehind()) {
            assertThat(writes).isLessThan(100);
            write();
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            server.host.writeFrozen(server.hosted);
        }
        // Files are counted between batches, not for each write.
        WriteResult refused = until(result -> result.failure().isPresent());
        assertThat(refused.failure().orElseThrow())
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("has too many files: it takes writes when some are merged");
    }

    private WriteResult until(Predicate<WriteResult> wanted) throws BigtableException, InterruptedException {
        WriteResult result = write();
        for (int i = 0; i < 10 && !wanted.test(result); i++) {
            server.simulation.pause(500);
            result = write();
        }
        return result;
    }

    private WriteResult write() throws BigtableException, InterruptedException {
        return server.write("r" + writes, "v", new WriteId(1, ++writes, 1));
    }
}
