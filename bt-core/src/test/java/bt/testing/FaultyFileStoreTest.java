package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.ThreadScheduler;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultyFileStoreTest extends FileStoreContract {
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final MemoryFileStore memory = new MemoryFileStore(scheduler.clock());

    @Override
    protected List<FileStore> twoProcesses() {
        return List.of(
                faulty("one", (operation, path) -> Faults.NONE), faulty("other", (operation, path) -> Faults.NONE));
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void aFailureInsteadLeavesNothingAndOneAfterwardsLeavesAll() throws Exception {
        assertFails(Kind.UNAVAILABLE, () -> failing(Failure.INSTEAD).makeDirectory("instead"));
        assertFails(Kind.UNAVAILABLE, () -> failing(Failure.AFTERWARDS).makeDirectory("afterwards"));
        assertThat(memory.process("other").list("")).extracting("name").containsExactly("afterwards");
    }

    @Test
    void aWriterThatFailedOnceIsOnlyClosed() throws Exception {
        FileWriter writer = faulty(
                        "one",
                        (operation, path) ->
                                new Fault(0, operation == FileOperation.SYNC ? Failure.AFTERWARDS : Failure.NONE))
                .create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        assertFails(Kind.UNAVAILABLE, writer::sync);
        assertThatThrownBy(() -> writer.append(new byte[1], 0, 1)).isInstanceOf(IllegalStateException.class);
        assertFails(Kind.UNAVAILABLE, writer::close);
        assertThat(memory.process("other").fence("a", 0)).isEqualTo(10);
    }

    @Test
    void aSeedChoosesTheSameFaultsAgain() {
        assertThat(failures(7)).isEqualTo(failures(7)).isNotEqualTo(failures(8)).hasSizeBetween(50, 150);
    }

    /** Which of a thousand operations fail. */
    private List<Integer> failures(long seed) {
        FileStore store = faulty("one", Faults.seeded(new Random(seed), 100, 0));
        List<Integer> failed = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            try {
                store.list("");
            } catch (BigtableException e) {
                failed.add(i);
            }
        }
        return failed;
    }

    private FileStore failing(Failure failure) {
        return faulty("one", (operation, path) -> new Fault(0, failure));
    }

    private FileStore faulty(String process, Faults faults) {
        return new FaultyFileStore(memory.process(process), faults, scheduler);
    }
}
