package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Scheduler.WorkerPool;
import bt.fs.FileStore;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FaultyFileStore;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A file system that may fail, or be slow. */
class HomesTest {
    private static final Set<String> HOSTS = Set.of("10.0.0.1", "node2");

    private final SimScheduler scheduler = new SimScheduler(1);
    private final MemoryFileStore store = new MemoryFileStore(scheduler.clock());
    private Fault fault = Faults.NONE;
    private int questions;

    @Test
    void whatCouldNotBeAnsweredIsAskedAgain() {
        run(homes -> {
            fault = new Fault(0, Failure.INSTEAD);
            homes.ask(List.of("a"));
            fault = Faults.NONE;
            homes.ask(List.of("a"));
            assertThat(questions).isEqualTo(2);
            homes.ask(List.of("a"));
            assertThat(homes.of(Optional.of("a"), HOSTS)).contains("10.0.0.1");
            assertThat(questions).as("what is known is not asked").isEqualTo(2);
        });
    }

    /** Its datanode goes by the machine's name, a tablet server perhaps by its address. */
    @Test
    void aMachineIsKnownByTheNameThatItsServerHas() {
        run(homes -> {
            store.place("a", "node7", "10.0.0.7", "node2");
            homes.ask(List.of("a"));
            assertThat(homes.of(Optional.of("a"), Set.of("10.0.0.7", "node2"))).contains("10.0.0.7");
            assertThat(homes.of(Optional.of("a"), Set.of("node2"))).contains("node2");
            assertThat(homes.of(Optional.of("a"), Set.of("10.0.0.1"))).isEmpty();
        });
    }

    @Test
    void aFileSystemThatDoesNotAnswerIsWaitedForOnceAndNotLong() {
        run(homes -> {
            fault = new Fault(60_000, Failure.NONE);
            long before = scheduler.clock().nanos();
            homes.ask(List.of("a", "b", "c"));
            homes.ask(List.of("a", "b", "c"));
            homes.ask(List.of("a"));
            assertThat(homes.of(Optional.of("b"), HOSTS)).isEmpty();
            assertThat(scheduler.clock().nanos() - before).isLessThan(1_500_000_000);
            scheduler.pause(61_000);
            homes.ask(List.of("a", "b", "c"));
            assertThat(questions).as("the answers came late, and count").isEqualTo(3);
        });
    }

    @Test
    void replicasThatHaveMovedAreFoundWhereTheyAreAfterAWhileAndUntilThenNobodyWaits() {
        run(homes -> {
            homes.ask(List.of("a"));
            store.place("a", "node2");
            scheduler.pause(599_000);
            homes.ask(List.of("a"));
            assertThat(questions).isEqualTo(1);
            scheduler.pause(2_000);
            fault = new Fault(400, Failure.NONE);
            long before = scheduler.clock().nanos();
            homes.ask(List.of("a"));
            assertThat(homes.of(Optional.of("a"), HOSTS)).as("as it was").contains("10.0.0.1");
            assertThat(scheduler.clock().nanos() - before).isLessThan(100_000_000);
            scheduler.pause(500);
            assertThat(homes.of(Optional.of("a"), HOSTS)).contains("node2");
            assertThat(questions).isEqualTo(2);
        });
    }

    /** Of a NameNode that has just started datanodes have not told all yet. */
    @Test
    void aFileThatWasNowhereIsAskedForAgainSoon() {
        run(homes -> {
            store.place("a");
            homes.ask(List.of("a"));
            assertThat(homes.of(Optional.of("a"), HOSTS)).isEmpty();
            store.place("a", "node2");
            scheduler.pause(11_000);
            homes.ask(List.of("a"));
            scheduler.pause(100);
            assertThat(homes.of(Optional.of("a"), HOSTS)).contains("node2");
            assertThat(questions).isEqualTo(2);
        });
    }

    @FunctionalInterface
    private interface Story {
        void tell(Homes homes) throws InterruptedException;
    }

    private void run(Story story) {
        FaultyFileStore files = new FaultyFileStore(store.process("master"), this::next, scheduler);
        scheduler.run(Duration.ofMinutes(30), () -> {
            try (WorkerPool askers = scheduler.pool("homes", Homes.ASKERS, Homes.MOST_ASKED)) {
                for (String path : List.of("a", "b", "c")) {
                    files.create(path, FileStore.Placement.DATA).close();
                    store.place(path, "10.0.0.1");
                }
                story.tell(new Homes(files, scheduler, askers));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private Fault next(FileOperation operation, String path) {
        if (operation != FileOperation.HOSTS) {
            return Faults.NONE;
        }
        questions++;
        return fault;
    }
}
