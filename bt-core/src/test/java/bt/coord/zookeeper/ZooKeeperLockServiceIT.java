package bt.coord.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.FencedException;
import bt.base.ThreadScheduler;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import bt.testing.LockServiceContract;
import bt.testing.MiniZooKeeper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("alone")
class ZooKeeperLockServiceIT extends LockServiceContract {
    private static final int SESSION_MILLIS = 4000;
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static MiniZooKeeper zooKeeper;

    @BeforeAll
    static void start() throws Exception {
        zooKeeper = new MiniZooKeeper(directory);
    }

    @AfterAll
    static void stop() {
        zooKeeper.close();
    }

    @Override
    protected void run(Body body) throws Exception {
        try (RealBed bed = new RealBed("cluster-" + CLUSTERS.incrementAndGet())) {
            body.run(bed);
        }
    }

    @Test
    void clustersDoNotSeeEachOther() throws Exception {
        try (RealBed one = new RealBed("one");
                RealBed two = new RealBed("two")) {
            one.connect().create("file", Bytes.EMPTY);
            assertThat(two.connect().read("file")).isEmpty();
        }
    }

    @Test
    void withoutZooKeeperTheFailureNamesItsAddress() {
        assertThatThrownBy(() -> ZooKeeperLockService.connect("127.0.0.1:1", "cluster", 1000))
                .hasMessageContaining("ZooKeeper at 127.0.0.1:1, /bt/cluster: no connection within 900 ms")
                .isInstanceOfSatisfying(BigtableException.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
                    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
                });
        assertThatThrownBy(() -> ZooKeeperLockService.connect("127.0.0.1:port", "cluster", 1000))
                .isInstanceOfSatisfying(BigtableException.class, failure -> assertThat(failure.kind())
                        .isEqualTo(Kind.UNAVAILABLE));
    }

    @Test
    void aShortOutageCostsNeitherLockNorWatch() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("dir/file", Bytes.utf8("content"));
            Lock lock = client.tryLock("dir/lock", Bytes.EMPTY).orElseThrow();
            AtomicInteger told = new AtomicInteger();
            client.watch("dir", told::incrementAndGet);
            zooKeeper.stop();
            bed.pause(500);
            int before = told.get();
            zooKeeper.start();
            lock.renew();
            assertThat(client.read("dir/file").map(SmallFile::content)).contains(Bytes.utf8("content"));
            bed.eventually(() -> told.get() > before);
            int returned = told.get();
            bed.connect().create("dir/other", Bytes.EMPTY);
            bed.eventually(() -> told.get() > returned);
        });
    }

    /** Whoever may have heard of it: those that are on their way when it stops are sent again to nobody. */
    @Test
    void aReadThatNobodyAnswersHasAppliedNothing() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("dir/file", Bytes.EMPTY);
            List<BigtableException> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                readers.add(new Thread(() -> readUntilItFails(client, failures)));
            }
            readers.forEach(Thread::start);
            bed.pause(200);
            zooKeeper.stop();
            try {
                for (Thread reader : readers) {
                    reader.join();
                }
            } finally {
                zooKeeper.start();
            }
            assertThat(failures)
                    .hasSize(16)
                    .allMatch(failure -> failure.kind() == Kind.UNAVAILABLE)
                    .allMatch(failure -> failure.outcome() == Outcome.NOT_APPLIED);
        });
    }

    private static void readUntilItFails(LockService client, List<BigtableException> failures) {
        try {
            while (client.read("dir/file").isPresent()) {
                assertThat(client.children("dir")).hasSize(1);
            }
        } catch (BigtableException failed) {
            failures.add(failed);
        }
    }

    @Test
    void anOutageIsUnavailableAfterABoundedWhile() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("dir/file", Bytes.EMPTY);
            Lock lock = client.tryLock("dir/lock", Bytes.EMPTY).orElseThrow();
            zooKeeper.stop();
            try {
                long began = System.nanoTime();
                assertThatThrownBy(() -> client.read("dir/file"))
                        .hasMessageContaining("/dir/file")
                        .isInstanceOfSatisfying(BigtableException.class, failure -> assertThat(failure.kind())
                                .isEqualTo(Kind.UNAVAILABLE));
                assertThat(System.nanoTime() - began).isLessThan(SESSION_MILLIS * 1_000_000L);
                // In doubt, a release gives up its session rather than its quarter of a second.
                long release = System.nanoTime();
                lock.close();
                assertThat(System.nanoTime() - release).isLessThan(600_000_000L);
            } finally {
                zooKeeper.start();
            }
            assertFenced(lock::renew);
            LockService other = bed.connect();
            bed.eventually(() -> {
                try {
                    return other.tryLock("dir/lock", Bytes.EMPTY).isPresent();
                } catch (BigtableException failed) {
                    throw new AssertionError(failed);
                }
            });
        });
    }

    @Test
    void aLockThatOutlivedItsSessionIsTakenAgainAtOnceByWhoHadItAndByNobodyElse() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            client.create("dir/file", Bytes.EMPTY);
            Lock lock = client.tryLock("dir/lock", Bytes.utf8("owner")).orElseThrow();
            zooKeeper.stop();
            try {
                bed.eventually(() -> isFenced(lock));
            } finally {
                zooKeeper.start();
            }
            long began = System.nanoTime();
            assertThat(bed.connect().tryLock("dir/lock", Bytes.utf8("owner"))).isEmpty();
            Lock again = client.tryLock("dir/lock", Bytes.utf8("owner")).orElseThrow();
            // ZooKeeper itself keeps the old one for the time of a session after its start.
            assertThat(System.nanoTime() - began).isLessThan(SESSION_MILLIS * 1_000_000L);
            again.renew();
            assertFenced(lock::renew);
        });
    }

    private static boolean isFenced(Lock lock) {
        try {
            lock.renew();
            return false;
        } catch (FencedException lost) {
            return true;
        } catch (BigtableException notYet) {
            return false;
        }
    }

    @Test
    void anInterruptedCallerStopsWaitingAndKeepsItsInterruption() throws Exception {
        run(bed -> {
            LockService client = bed.connect();
            zooKeeper.stop();
            try {
                bed.pause(100);
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> client.read("file"))
                        .hasMessageContaining("interrupted")
                        .isInstanceOfSatisfying(BigtableException.class, failure -> assertThat(failure.kind())
                                .isEqualTo(Kind.UNAVAILABLE));
                assertThat(Thread.interrupted()).isTrue();
            } finally {
                zooKeeper.start();
            }
            assertThat(client.read("file")).isEmpty();
        });
    }

    /** Clients of one cluster's directory in the shared ZooKeeper. */
    private static final class RealBed implements Bed, AutoCloseable {
        private final String cluster;
        private final ThreadScheduler scheduler = new ThreadScheduler();
        private final List<LockService> clients = new ArrayList<>();

        RealBed(String cluster) {
            this.cluster = cluster;
        }

        @Override
        public LockService connect() throws BigtableException {
            LockService client = ZooKeeperLockService.connect(zooKeeper.quorum(), cluster, SESSION_MILLIS);
            clients.add(client);
            return client;
        }

        @Override
        public void expire(LockService client) throws BigtableException {
            zooKeeper.expire(((ZooKeeperLockService) client).sessionId());
        }

        @Override
        public void pause(long millis) throws InterruptedException {
            scheduler.pause(millis);
        }

        @Override
        public void close() {
            clients.forEach(LockService::close);
            scheduler.close();
        }
    }
}
