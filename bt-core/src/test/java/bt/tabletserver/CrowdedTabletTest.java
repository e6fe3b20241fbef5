package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
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
    void itTakesNoWritesWhileItsFilesAreMergedAndAllWhenTheyCannotBe() {
        server.run(() -> {
            crowd();
            assertThat(write().failure()).as("nobody merges").isEmpty();

            server.faults = (operation, path) -> isRead(operation, path) ? new Fault(5_000, Failure.NONE) : Faults.NONE;
            server.host.merger.look(server.hosted);
            WriteResult refused = until(result -> result.failure().isPresent());
            assertThat(refused.failure().orElseThrow())
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageMatching(
                            "table t row r[0-9]+: its tablet has too many files: it takes writes when some are merged");

            server.faults = (operation, path) -> isRead(operation, path) ? new Fault(0, Failure.INSTEAD) : Faults.NONE;
            assertThat(until(result -> result.failure().isEmpty()).failure()).isEmpty();
            // The next try, and the one after: one damaged file would be the end of all writes.
            for (int i = 0; i < 60; i++) {
                server.simulation.pause(500);
                assertThat(write().failure()).isEmpty();
            }
        });
    }

    private static boolean isRead(FileOperation operation, String path) {
        return operation == FileOperation.READ && path.startsWith("data/");
    }

    /** Writes and flushes, until it has too many files. */
    private void crowd() throws BigtableException, InterruptedException {
        while (!server.hosted.tablet().compactions().areFarBehind()) {
            assertThat(writes).isLessThan(100);
            write();
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            server.host.writeFrozen(server.hosted);
        }
    }

    private WriteResult until(Predicate<WriteResult> wanted) throws BigtableException, InterruptedException {
        WriteResult result = write();
        for (int i = 0; i < 100 && !wanted.test(result); i++) {
            server.simulation.pause(500);
            result = write();
        }
        return result;
    }

    private WriteResult write() throws BigtableException, InterruptedException {
        return server.write("r" + writes, "v", new WriteId(1, ++writes, 1));
    }
}
