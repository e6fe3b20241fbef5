package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What every lock service does. */
public abstract class LockServiceContract {
    private static final Bytes ONE = Bytes.utf8("one");
    private static final Bytes TWO = Bytes.utf8("two");

    /** A service and the world around it. */
    public interface Bed {
        /** Another client, with a session of its own. */
        LockService connect() throws BigtableException;

        /** The service ends the client's session. */
        void expire(LockService client) throws BigtableException;

        void pause(long millis) throws InterruptedException;

        default void eventually(BooleanSupplier holds) throws InterruptedException {
            for (int tries = 0; !holds.getAsBoolean(); tries++) {
                assertThat(tries).as("tries of 10 ms").isLessThan(1000);
                pause(10);
            }
        }
    }

    /** A test. */
    @FunctionalInterface
    public interface Body {
        void run(Bed bed) throws Exception;
    }

    protected abstract void run(Body body) throws Exception;

    @Test
    public void aFileIsReadAsItWasCreated() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            SmallFile created = client.create("file", ONE);
            assertThat(created.content()).isEqualTo(ONE);
            assertThat(created.version()).isZero();
            assertThat(created.createdTransaction()).isPositive();
            assertThat(created.modifiedMicros()).isPositive();
            assertThat(client.read("file")).contains(created);
        });
    }

    @Test
    public void anEmptyFileIsAFile() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("file", Bytes.EMPTY);
            assertThat(client.read("file").map(SmallFile::content)).contains(Bytes.EMPTY);
        });
    }

    @Test
    public void nothingIsReadWhereNothingIs() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            assertThat(client.read("no/file")).isEmpty();
            assertThat(client.children("no/file")).isEmpty();
            client.delete("no/file");
        });
    }

    @Test
    public void aFileIsCreatedOnce() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("file", ONE);
            assertRejected(() -> client.create("file", TWO));
            assertRejected(() -> bed.connect().create("file", TWO));
            assertThat(client.read("file").map(SmallFile::content)).contains(ONE);
        });
    }

    @Test
    public void creatingMakesWhatLeadsToTheFile() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("a/b/c", ONE);
            assertThat(client.read("a/b").map(SmallFile::content)).contains(Bytes.EMPTY);
            assertThat(client.children("a")).containsExactly("b");
        });
    }

    @Test
    public void aLaterFileHasALaterTransaction() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            SmallFile first = client.create("first", ONE);
            SmallFile second = bed.connect().create("second", ONE);
            client.delete("first");
            SmallFile third = client.create("first", ONE);
            assertThat(second.createdTransaction()).isGreaterThan(first.createdTransaction());
            assertThat(third.createdTransaction()).isGreaterThan(second.createdTransaction());
        });
    }

    @Test
    public void aWriteNeedsTheVersionThatIsThere() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            SmallFile created = client.create("file", ONE);
            SmallFile written = client.write("file", TWO, created.version());
            assertThat(written.version()).isEqualTo(1);
            assertThat(written.content()).isEqualTo(TWO);
            assertThat(written.createdTransaction()).isEqualTo(created.createdTransaction());
            assertThat(bed.connect().read("file")).contains(written);
            assertRejected(() -> client.write("file", ONE, 0));
            assertRejected(() -> client.write("file", ONE, 2));
            assertRejected(() -> client.write("file", ONE, -1));
            assertRejected(() -> client.write("file", ONE, 1L << 32));
            assertThat(client.read("file")).contains(written);
        });
    }

    @Test
    public void aFileThatIsNotThereHasNoVersion() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            assertRejected(() -> client.write("file", ONE, 0));
        });
    }

    @Test
    public void aFileWithChildrenStays() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("parent/child", ONE);
            assertRejected(() -> client.delete("parent"));
            client.delete("parent/child");
            client.delete("parent");
            assertThat(client.read("parent")).isEmpty();
        });
    }

    @Test
    public void childrenAreSorted() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            for (String name : new String[] {"c", "a", "b10", "b9"}) {
                client.create("parent/" + name, ONE);
            }
            assertThat(client.children("parent")).containsExactly("a", "b10", "b9", "c");
        });
    }

    /** More than any service takes together. */
    @Test
    public void theChildrenOfManyFilesComeInTheOrderOfThese() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            for (String name : new String[] {"one/b", "one/a", "two", "three/c"}) {
                client.create("parent/" + name, ONE);
            }
            List<String> asked = new ArrayList<>(List.of("parent/one", "parent/two", "parent/none", "parent/three"));
            for (int i = 0; i < 1_100; i++) {
                asked.add("parent/none-" + i);
            }
            asked.add("parent/one");
            List<List<String>> children = client.childrenOfEach(asked);
            assertThat(children).hasSize(asked.size());
            assertThat(children).startsWith(List.of("a", "b"), List.of(), List.of(), List.of("c"));
            assertThat(children.subList(4, asked.size() - 1))
                    .allSatisfy(none -> assertThat(none).isEmpty());
            assertThat(children).endsWith(List.of("a", "b"));
            assertThat(client.childrenOfEach(List.of())).isEmpty();
        });
    }

    /** More than are asked for together. */
    @Test
    public void manyFilesComeInTheOrderOfTheirPaths() throws Exception {
        run(bed -> {
            LockService writer = bed.connect();
            LockService reader = bed.connect();
            List<String> paths = new ArrayList<>();
            List<Optional<SmallFile>> files = new ArrayList<>();
            for (int i = 0; i < 260; i++) {
                paths.add("many/" + i);
                files.add(i % 10 == 0 ? Optional.empty() : Optional.of(writer.create("many/" + i, Bytes.utf8("" + i))));
            }
            assertThat(reader.readEach(paths)).isEqualTo(files);
            SmallFile before = files.get(7).orElseThrow();
            files.set(7, Optional.of(writer.write("many/7", Bytes.utf8("new"), before.version())));
            assertThat(reader.readEach(paths)).isEqualTo(files);
            assertThat(reader.readEach(List.of())).isEmpty();
        });
    }

    /** Together they are more than a client takes in one answer. */
    @Test
    public void manyLargeFilesAreReadTogether() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            List<String> paths = List.of("large/1", "large/2", "large/3");
            for (String path : paths) {
                client.create(path, Bytes.wrap(new byte[SmallFile.MAX_BYTES]));
            }
            assertThat(client.readEach(paths)).allMatch(Optional::isPresent);
        });
    }

    @Test
    public void whatOneClientWroteAnotherReads() throws Exception {
        run(bed -> {
            LockService writer = bed.connect();
            LockService reader = bed.connect();
            SmallFile file = writer.create("dir/file", Bytes.EMPTY);
            for (int i = 0; i < 50; i++) {
                file = writer.write("dir/file", Bytes.utf8("content " + i), file.version());
                assertThat(reader.read("dir/file")).contains(file);
                writer.create("dir/child-" + i, ONE);
                assertThat(reader.children("dir")).contains("child-" + i);
                assertThat(reader.childrenOfEach(List.of("nowhere", "dir")).get(1))
                        .contains("child-" + i);
            }
        });
    }

    @Test
    public void aLargeFileIsRefused() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            assertRejected(() -> client.create("file", Bytes.wrap(new byte[SmallFile.MAX_BYTES + 1])));
            SmallFile created = client.create("file", Bytes.wrap(new byte[SmallFile.MAX_BYTES]));
            assertRejected(
                    () -> client.write("file", Bytes.wrap(new byte[SmallFile.MAX_BYTES + 1]), created.version()));
            assertThat(client.read("file")).contains(created);
        });
    }

    @Test
    public void aLockIsHeldByOne() throws Exception {
        run(bed -> {
            LockService first = bed.connect();
            LockService second = bed.connect();
            first.create("parent", Bytes.EMPTY);
            Lock lock = first.tryLock("parent/lock", ONE).orElseThrow();
            assertThat(lock.path()).isEqualTo("parent/lock");
            assertThat(second.tryLock("parent/lock", TWO)).isEmpty();
            assertThat(first.tryLock("parent/lock", TWO)).isEmpty();
            SmallFile file = second.read("parent/lock").orElseThrow();
            assertThat(file.content()).isEqualTo(ONE);
            assertThat(file.createdTransaction()).isEqualTo(lock.transaction());
            lock.renew();
            lock.close();
            Lock next = second.tryLock("parent/lock", TWO).orElseThrow();
            assertThat(next.transaction()).isGreaterThan(lock.transaction());
            assertFenced(lock::renew);
            lock.close();
            next.renew();
        });
    }

    @Test
    public void whoHoldsALockCreatesAFileByIt() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("parent", Bytes.EMPTY);
            Lock lock = client.tryLock("parent/lock", ONE).orElseThrow();
            lock.renew();
            lock.create("parent/file", ONE);
            assertThat(bed.connect().read("parent/file").map(SmallFile::content))
                    .contains(ONE);
            assertRejected(() -> lock.create("parent/file", TWO));
            SmallFile file = client.read("parent/lock").orElseThrow();
            bed.connect().write("parent/lock", TWO, file.version());
            lock.create("parent/other", ONE);
            assertThatThrownBy(() -> lock.create("nowhere/file", ONE))
                    .isInstanceOfSatisfying(BigtableException.class, failure -> assertThat(failure.kind())
                            .isEqualTo(Kind.UNAVAILABLE));
        });
    }

    @Test
    public void whoHasLostALockCreatesNothingByIt() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            LockService other = bed.connect();
            client.create("parent", Bytes.EMPTY);
            Lock released = client.tryLock("parent/lock", ONE).orElseThrow();
            released.close();
            assertFenced(() -> released.create("parent/file", ONE));
            Lock deleted = client.tryLock("parent/lock", ONE).orElseThrow();
            other.delete("parent/lock");
            assertFenced(() -> deleted.create("parent/file", ONE));
            LockService third = bed.connect();
            Lock expired = third.tryLock("parent/lock", ONE).orElseThrow();
            bed.expire(third);
            Lock theirs = other.tryLock("parent/lock", TWO).orElseThrow();
            assertFenced(() -> expired.create("parent/file", ONE));
            assertThat(other.read("parent/file")).isEmpty();
            theirs.create("parent/file", TWO);
        });
    }

    @Test
    public void aLockIsTakenAgainByWhoReleasedIt() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("parent", Bytes.EMPTY);
            Lock first = client.tryLock("lock", ONE).orElseThrow();
            first.close();
            Lock second = client.tryLock("lock", ONE).orElseThrow();
            assertFenced(first::renew);
            second.renew();
        });
    }

    @Test
    public void aLockNeedsItsParent() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            assertThatThrownBy(() -> client.tryLock("parent/lock", ONE))
                    .isInstanceOfSatisfying(BigtableException.class, failure -> {
                        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
                        assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
                    });
            assertThat(client.read("parent")).isEmpty();
            client.create("parent", ONE);
            assertThat(client.tryLock("parent/lock", ONE)).isPresent();
        });
    }

    @Test
    public void aFileUnderItsLockStays() throws Exception {
        run(bed -> {
            LockService server = bed.connect();
            LockService master = bed.connect();
            server.create("servers/a", ONE);
            Lock lock = server.tryLock("servers/a/lock", ONE).orElseThrow();
            assertRejected(() -> master.delete("servers/a"));
            lock.renew();
            lock.close();
            master.delete("servers/a");
            assertThat(master.children("servers")).isEmpty();
        });
    }

    @Test
    public void aFileGoesWithItsLockInOneStep() throws Exception {
        run(bed -> {
            LockService server = bed.connect();
            LockService master = bed.connect();
            Lock reign = reign(master);
            server.create("servers/a", ONE);
            Lock lock = server.tryLock("servers/a/lock", ONE).orElseThrow();
            SmallFile file = master.read("master/lock").orElseThrow();
            bed.connect().write("master/lock", TWO, file.version());
            reign.deleteWithChildren("servers/a");
            assertThat(master.children("servers")).isEmpty();
            assertThat(master.read("servers/a/lock")).isEmpty();
            assertFenced(lock::renew);
            reign.deleteWithChildren("servers/a");
        });
    }

    @Test
    public void whoHoldsALockWritesByIt() throws Exception {
        run(bed -> {
            LockService master = bed.connect();
            Lock reign = reign(master);
            SmallFile written = reign.write("master", TWO, 0);
            assertThat(written.version()).isEqualTo(1);
            assertThat(bed.connect().read("master")).contains(written);
            assertRejected(() -> reign.write("master", ONE, 0));
            assertRejected(() -> reign.write("master", ONE, -1));
            assertRejected(() -> reign.write("nothing", ONE, 0));
            SmallFile lock = master.read("master/lock").orElseThrow();
            bed.connect().write("master/lock", TWO, lock.version());
            assertThat(reign.write("master", ONE, 1).version()).isEqualTo(2);
            reign.renew();
        });
    }

    /** However new what it has read: as a master that stood still, and comes to in a new session. */
    @Test
    public void whoHasLostALockWritesAndDeletesNothingByIt() throws Exception {
        run(bed -> {
            LockService other = bed.connect();
            LockService first = bed.connect();
            Lock expired = reign(first);
            bed.expire(first);
            Lock theirs = other.tryLock("master/lock", TWO).orElseThrow();
            LockService server = bed.connect();
            server.create("servers/a", ONE);
            Lock living = server.tryLock("servers/a/lock", ONE).orElseThrow();
            assertFenced(() -> expired.write("master", TWO, 0));
            assertFenced(() -> expired.deleteWithChildren("servers/a"));
            other.delete("master/lock");
            assertFenced(() -> theirs.write("master", TWO, 0));
            Lock released = bed.connect().tryLock("master/lock", TWO).orElseThrow();
            released.close();
            assertFenced(() -> released.deleteWithChildren("servers/a"));
            assertThat(other.read("master").orElseThrow().version()).isZero();
            living.renew();
        });
    }

    private static Lock reign(LockService master) throws Exception {
        master.create("master", ONE);
        return master.tryLock("master/lock", ONE).orElseThrow();
    }

    @Test
    public void aDeletedLockIsLostForGood() throws Exception {
        run(bed -> {
            LockService holder = bed.connect();
            holder.create("parent", Bytes.EMPTY);
            Lock lock = holder.tryLock("parent/lock", ONE).orElseThrow();
            LockService other = bed.connect();
            other.delete("parent/lock");
            assertFenced(lock::renew);
            Lock theirs = other.tryLock("parent/lock", TWO).orElseThrow();
            assertFenced(lock::renew);
            theirs.renew();
        });
    }

    @Test
    public void anotherWriteToTheLockNodeDoesNotEndTheLock() throws Exception {
        run(bed -> {
            LockService holder = bed.connect();
            holder.create("parent", Bytes.EMPTY);
            Lock lock = holder.tryLock("parent/lock", ONE).orElseThrow();
            lock.renew();
            SmallFile file = bed.connect().read("parent/lock").orElseThrow();
            bed.connect().write("parent/lock", TWO, file.version());
            lock.renew();
        });
    }

    @Test
    public void anExpiredSessionLosesItsLocksForGood() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("parent", ONE);
            Lock lock = client.tryLock("parent/lock", ONE).orElseThrow();
            bed.expire(client);
            LockService other = bed.connect();
            assertThat(other.read("parent/lock")).isEmpty();
            assertFenced(lock::renew);
            // The client itself goes on, with a new session.
            assertThat(client.read("parent").map(SmallFile::content)).contains(ONE);
            Lock again = client.tryLock("parent/lock", TWO).orElseThrow();
            assertThat(again.transaction()).isGreaterThan(lock.transaction());
            again.renew();
            assertFenced(lock::renew);
            lock.close();
            again.renew();
        });
    }

    @Test
    public void aClosedClientReleasesItsLocksAtOnce() throws Exception {
        run(bed -> {
            LockService holder = bed.connect();
            holder.create("parent", Bytes.EMPTY);
            Lock lock = holder.tryLock("parent/lock", ONE).orElseThrow();
            holder.close();
            assertThat(bed.connect().tryLock("parent/lock", TWO)).isPresent();
            assertFenced(lock::renew);
            assertThatThrownBy(() -> holder.read("parent"))
                    .isInstanceOfSatisfying(BigtableException.class, failure -> assertThat(failure.kind())
                            .isEqualTo(Kind.UNAVAILABLE));
        });
    }

    @Test
    public void aWatchTellsOfEveryChangeThatIsWaitedFor() throws Exception {
        run(bed -> {
            LockService watcher = bed.connect();
            LockService other = bed.connect();
            AtomicInteger told = new AtomicInteger();
            LockService.Watch watch = watcher.watch("dir", told::incrementAndGet);
            for (int i = 0; i < 5; i++) {
                String child = "dir/child-" + i;
                int before = told.get();
                other.create(child, ONE);
                bed.eventually(() -> told.get() > before);
            }
            int before = told.get();
            other.delete("dir/child-3");
            bed.eventually(() -> told.get() > before);
            watch.close();
            int after = told.get();
            other.create("dir/unwatched", ONE);
            bed.pause(200);
            assertThat(told.get()).isEqualTo(after);
        });
    }

    @Test
    public void aWatchTellsThatTheFileItselfWasWritten() throws Exception {
        run(bed -> {
            LockService watcher = bed.connect();
            LockService other = bed.connect();
            AtomicInteger told = new AtomicInteger();
            watcher.watch("dir/file", told::incrementAndGet);
            SmallFile file = other.create("dir/file", ONE);
            bed.eventually(() -> told.get() > 0);
            int before = told.get();
            other.write("dir/file", ONE, file.version());
            bed.eventually(() -> told.get() > before);
        });
    }

    @Test
    public void aWatchTellsOfALockThatCameAndWent() throws Exception {
        run(bed -> {
            LockService watcher = bed.connect();
            watcher.create("dir", ONE);
            AtomicInteger told = new AtomicInteger();
            watcher.watch("dir", told::incrementAndGet);
            LockService holder = bed.connect();
            assertThat(holder.tryLock("dir/lock", ONE)).isPresent();
            bed.eventually(() -> told.get() > 0);
            int before = told.get();
            bed.expire(holder);
            bed.eventually(() -> told.get() > before);
            assertThat(watcher.children("dir")).isEmpty();
        });
    }

    @Test
    public void whoWatchesMayReadAtOnce() throws Exception {
        run(bed -> {
            LockService watcher = bed.connect();
            AtomicInteger seen = new AtomicInteger();
            watcher.watch("dir", () -> {
                try {
                    seen.set(watcher.children("dir").size());
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            });
            bed.connect().create("dir/a", ONE);
            bed.eventually(() -> seen.get() == 1);
            bed.connect().create("dir/b", ONE);
            bed.eventually(() -> seen.get() == 2);
        });
    }

    @Test
    public void aWatchOutlivesItsSession() throws Exception {
        run(bed -> {
            LockService watcher = bed.connect();
            AtomicInteger told = new AtomicInteger();
            watcher.watch("dir", told::incrementAndGet);
            bed.expire(watcher);
            bed.eventually(() -> told.get() > 0);
            int before = told.get();
            bed.connect().create("dir/a", ONE);
            bed.eventually(() -> told.get() > before);
        });
    }

    protected static void assertRejected(ThrowingCallable call) {
        assertKind(call, Kind.REJECTED, Optional.of(Outcome.NOT_APPLIED));
    }

    protected static void assertFenced(ThrowingCallable call) {
        assertKind(call, Kind.FENCED, Optional.empty());
    }

    private static void assertKind(ThrowingCallable call, Kind kind, Optional<Outcome> outcome) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BigtableException.class, failure -> {
            assertThat(failure.kind()).isEqualTo(kind);
            outcome.ifPresent(wanted -> assertThat(failure.outcome()).isEqualTo(wanted));
        });
    }
}
