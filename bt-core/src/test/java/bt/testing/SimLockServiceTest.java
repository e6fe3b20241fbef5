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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SimLockServiceTest extends LockServiceContract {
    private static final long SESSION_MILLIS = 4000;
    /** So many that not all of them come soon, whatever the seed. */
    private static final int OLD_ANSWERS = 40;

    private static final Duration HOUR = Duration.ofHours(1);

    private final SimScheduler scheduler = new SimScheduler(new Random().nextLong());
    private final SimLockService service = new SimLockService(scheduler);

    @Override
    protected void run(Body body) {
        scheduler.run(HOUR, () -> {
            try {
                body.run(new SimBed());
            } catch (InterruptedException | RuntimeException passed) {
                throw passed;
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void aCrashedProcessKeepsItsLockForItsTimeout() {
        run(bed -> {
            LockService other = bed.connect();
            other.create("dir", Bytes.EMPTY);
            LockService victim = service.session("victim", SESSION_MILLIS);
            assertThat(victim.tryLock("dir/lock", Bytes.EMPTY)).isPresent();
            bed.pause(10_000);
            scheduler.crash("victim");
            bed.pause(SESSION_MILLIS - 200);
            assertThat(other.tryLock("dir/lock", Bytes.EMPTY)).isEmpty();
            bed.pause(400);
            assertThat(other.tryLock("dir/lock", Bytes.EMPTY)).isPresent();
        });
    }

    @Test
    void aProcessThatStoodStillLearnsLateThatItsLockIsLost() {
        run(bed -> {
            LockService other = bed.connect();
            other.create("dir", Bytes.EMPTY);
            LockService victim = service.session("victim", SESSION_MILLIS);
            Lock lock = victim.tryLock("dir/lock", Bytes.EMPTY).orElseThrow();
            scheduler.pauseProcess("victim", SESSION_MILLIS / 2);
            bed.pause(SESSION_MILLIS);
            lock.renew();
            scheduler.pauseProcess("victim", 2 * SESSION_MILLIS);
            bed.pause(SESSION_MILLIS + 200);
            Lock next = other.tryLock("dir/lock", Bytes.EMPTY).orElseThrow();
            assertFenced(lock::renew);
            next.renew();
        });
    }

    @Test
    void aCutOffProcessKnowsNothingUntilItIsBack() {
        run(bed -> {
            LockService other = bed.connect();
            other.create("dir", Bytes.EMPTY);
            LockService victim = service.session("victim", SESSION_MILLIS);
            AtomicInteger told = new AtomicInteger();
            victim.watch("dir", told::incrementAndGet);
            Lock lock = victim.tryLock("dir/lock", Bytes.EMPTY).orElseThrow();
            bed.eventually(() -> told.get() == 1);
            service.cutOff("victim");
            bed.pause(2 * SESSION_MILLIS);
            assertUnavailable(() -> lock.renew(), Outcome.NOT_APPLIED);
            assertThat(other.children("dir")).isEmpty();
            assertThat(told).hasValue(1);
            service.reconnect("victim");
            bed.eventually(() -> told.get() == 2);
            assertFenced(lock::renew);
            assertThat(victim.read("dir")).isPresent();
        });
    }

    @Test
    void sessionsOutliveAnOutageOfTheService() {
        run(bed -> {
            LockService client = bed.connect();
            client.create("dir", Bytes.EMPTY);
            Lock lock = client.tryLock("dir/lock", Bytes.EMPTY).orElseThrow();
            service.stopFor(10 * SESSION_MILLIS);
            Duration began = scheduler.elapsed();
            assertUnavailable(() -> client.read("dir"), Outcome.NOT_APPLIED);
            assertThat(scheduler.elapsed().minus(began)).isLessThan(Duration.ofMillis(SESSION_MILLIS));
            bed.pause(10 * SESSION_MILLIS);
            lock.renew();
        });
    }

    @Test
    void aLostAnswerLeavesTheOutcomeUnknown() {
        run(bed -> {
            LockService client = bed.connect();
            service.setFaults(new SimFaults(100, 1000, 0, 1, 0));
            assertUnavailable(() -> client.create("file", Bytes.EMPTY), Outcome.UNKNOWN);
            service.setFaults(SimFaults.NONE);
            assertThat(client.read("file")).isPresent();
        });
    }

    @Test
    void aLostRequestIsNotDone() {
        run(bed -> {
            LockService client = bed.connect();
            service.setFaults(new SimFaults(100, 1000, 1, 0, 0));
            assertUnavailable(() -> client.create("file", Bytes.EMPTY), Outcome.UNKNOWN);
            service.setFaults(SimFaults.NONE);
            bed.pause(10 * SESSION_MILLIS);
            assertThat(client.read("file")).isEmpty();
        });
    }

    @Test
    void aLateRequestIsDoneAfterItsSenderGaveUp() {
        run(bed -> {
            LockService client = bed.connect();
            LockService other = bed.connect();
            service.setFaults(new SimFaults(100, 1000, 0, 0, 1));
            assertUnavailable(() -> client.create("file", Bytes.EMPTY), Outcome.UNKNOWN);
            service.setFaults(SimFaults.NONE);
            assertThat(other.read("file")).isEmpty();
            bed.pause(2 * SESSION_MILLIS);
            assertThat(other.read("file")).isPresent();
        });
    }

    @Test
    void anotherRequestOfTheSessionDoesNotOvertakeALateOne() {
        run(bed -> {
            LockService client = bed.connect();
            service.setFaults(new SimFaults(100, 1000, 0, 0, 1));
            assertUnavailable(() -> client.create("file", Bytes.EMPTY), Outcome.UNKNOWN);
            service.setFaults(SimFaults.NONE);
            assertThat(client.read("file")).isPresent();
        });
    }

    @Test
    void anOldAnswerTellsWhatWasThereWhenItWasAskedFor() {
        run(bed -> {
            LockService reader = bed.connect();
            LockService writer = bed.connect();
            SmallFile file = writer.create("dir/file", Bytes.EMPTY);
            long oldest = 0;
            for (int i = 0; i < OLD_ANSWERS; i++) {
                CompletableFuture<Optional<SmallFile>> read = oldAnswer(() -> reader.read("dir/file"));
                CompletableFuture<List<String>> list = oldAnswer(() -> reader.children("dir"));
                SmallFile before = file;
                List<String> namesBefore = writer.children("dir");
                file = writer.write("dir/file", Bytes.utf8("content " + i), file.version());
                writer.create("dir/file-" + i, Bytes.EMPTY);
                long writtenMillis = scheduler.elapsed().toMillis();
                assertThat(scheduler.await(read, SESSION_MILLIS)).contains(before);
                assertThat(scheduler.await(list, SESSION_MILLIS)).isEqualTo(namesBefore);
                oldest = Math.max(oldest, scheduler.elapsed().toMillis() - writtenMillis);
                // An answer is old, a session is not: what it asks for next was there when it asked.
                assertThat(reader.read("dir/file")).contains(file);
                assertThat(reader.children("dir")).contains("file-" + i);
            }
            assertThat(oldest).as("age of the oldest answer").isGreaterThan(1000);
            assertThat(scheduler.counts()).containsEntry(Mishap.LOCK_ANSWER_OLD, 2L * OLD_ANSWERS);
        });
    }

    @Test
    void whatWasWrittenIsThereBeforeItsOldAnswer() {
        run(bed -> {
            LockService writer = bed.connect();
            LockService other = bed.connect();
            int seenBefore = 0;
            for (int i = 0; i < OLD_ANSWERS; i++) {
                String path = "file-" + i;
                CompletableFuture<SmallFile> created = oldAnswer(() -> writer.create(path, Bytes.EMPTY));
                Optional<SmallFile> seen = other.read(path);
                seenBefore += created.isDone() ? 0 : 1;
                assertThat(seen).contains(scheduler.await(created, SESSION_MILLIS));
            }
            assertThat(seenBefore)
                    .as("files that were seen before their answer came")
                    .isPositive();
        });
    }

    /** Asked for, and at the service; its answer comes within seconds. */
    private <T> CompletableFuture<T> oldAnswer(Question<T> question) throws InterruptedException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        service.setFaults(SimFaults.NONE.and(0, 1));
        scheduler.process("client").start("asks", () -> {
            try {
                answer.complete(question.ask());
            } catch (BigtableException failed) {
                answer.completeExceptionally(failed);
            }
        });
        // More than the way there.
        scheduler.pause(2);
        service.setFaults(SimFaults.NONE);
        return answer;
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws BigtableException;
    }

    /** Whoever renewed after another had taken the lock held what was not his. */
    @SeededTest(runs = 30)
    void noRenewalSucceedsAfterTheNextHolder(RandomGenerator random) {
        SimScheduler cluster = new SimScheduler(random.nextLong());
        SimLockService locks = new SimLockService(cluster);
        RandomGenerator chance = cluster.random("test");
        Newest newest = new Newest();
        cluster.run(HOUR, () -> {
            create(locks.session("test", SESSION_MILLIS), "dir");
            locks.setFaults(new SimFaults(100, 20_000, 0.02, 0.02, 0.02));
            for (int i = 0; i < 3; i++) {
                String name = "holder-" + i;
                LockService client = locks.session(name, SESSION_MILLIS);
                cluster.process(name).start("loop", () -> {
                    while (true) {
                        hold(cluster, client, newest);
                    }
                });
            }
            for (int i = 0; i < 30; i++) {
                cluster.pause(chance.nextLong(3000));
                String name = "holder-" + chance.nextInt(3);
                switch (chance.nextInt(3)) {
                    case 0 -> cluster.pauseProcess(name, chance.nextLong(2 * SESSION_MILLIS));
                    case 1 -> {
                        locks.cutOff(name);
                        cluster.pause(chance.nextLong(2 * SESSION_MILLIS));
                        locks.reconnect(name);
                    }
                    default -> locks.stopFor(chance.nextLong(SESSION_MILLIS));
                }
            }
        });
        assertThat(newest.holders).isGreaterThan(1);
        assertThat(newest.renewals).isGreaterThan(1);
    }

    private static void hold(SimScheduler cluster, LockService client, Newest newest) throws InterruptedException {
        try {
            Optional<Lock> taken = client.tryLock("dir/lock", Bytes.EMPTY);
            if (taken.isPresent()) {
                Lock lock = taken.get();
                newest.took(lock.transaction());
                for (int i = 0; i < 20; i++) {
                    long before = newest.transaction;
                    renew(lock);
                    assertThat(lock.transaction()).isGreaterThanOrEqualTo(before);
                    newest.renewals++;
                    cluster.pause(500);
                }
                lock.close();
            }
        } catch (BigtableException badDay) {
            assertThat(badDay.kind()).isIn(Kind.UNAVAILABLE, Kind.FENCED);
        }
        cluster.pause(100);
    }

    private static void renew(Lock lock) throws BigtableException {
        try {
            lock.renew();
        } catch (BigtableException failed) {
            lock.close();
            throw failed;
        }
    }

    private static void create(LockService client, String path) {
        try {
            client.create(path, Bytes.EMPTY);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    /** What is known of the lock from outside. */
    private static final class Newest {
        long transaction;
        int holders;
        int renewals;

        void took(long by) {
            if (by > transaction) {
                transaction = by;
                holders++;
            }
        }
    }

    private static void assertUnavailable(ThrowingCallable call, Outcome outcome) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BigtableException.class, failure -> {
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure.outcome()).isEqualTo(outcome);
        });
    }

    private final class SimBed implements Bed {
        @Override
        public LockService connect() {
            return service.session("client", SESSION_MILLIS);
        }

        @Override
        public void expire(LockService client) {
            service.expire(client);
        }

        @Override
        public void pause(long millis) throws InterruptedException {
            scheduler.pause(millis);
        }
    }
}
