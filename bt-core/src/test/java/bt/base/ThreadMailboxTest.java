package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Scheduler.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ThreadMailboxTest {
    private static final long LONG_MICROS = 60_000_000;
    private static final long LONG_MILLIS = 30_000;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Mailbox<Integer> mailbox = scheduler.mailbox(10);
    private final AtomicInteger seen = new AtomicInteger(-1);

    @AfterEach
    void close() {
        scheduler.close();
    }

    private Worker owner(int items, long micros) {
        return scheduler.start("owner", () -> {
            mailbox.awaitSize(items, micros);
            seen.set(mailbox.size());
        });
    }

    @Test
    void whoWaitsForSeveralGoesOnWhenTheLastOfThemIsThere() throws InterruptedException {
        Worker owner = owner(3, LONG_MICROS);
        for (int i = 0; i < 3; i++) {
            assertThat(owner.join(10)).isFalse();
            assertThat(mailbox.offer(i)).isTrue();
        }
        assertThat(owner.join(LONG_MILLIS)).isTrue();
        assertThat(seen).hasValue(3);
    }

    @Test
    void whatIsThereAlreadyIsNotWaitedFor() throws InterruptedException {
        mailbox.offer(1);
        mailbox.offer(2);
        assertThat(owner(2, LONG_MICROS).join(LONG_MILLIS)).isTrue();
        assertThat(seen).hasValue(2);
    }

    @Test
    void theWaitEndsWithItsTime() throws InterruptedException {
        mailbox.offer(1);
        assertThat(owner(2, 1_000).join(LONG_MILLIS)).isTrue();
        assertThat(seen).hasValue(1);
    }

    @Test
    void whatIsGivenTogetherWakesTheOwnerOnce() throws InterruptedException {
        List<Integer> taken = new ArrayList<>();
        Worker owner = scheduler.start("owner", () -> {
            taken.add(mailbox.poll(LONG_MILLIS));
            mailbox.drainTo(taken, 10);
        });
        assertThat(owner.join(10)).isFalse();
        assertThat(mailbox.offerAll(List.of(1, 2, 3), 10)).isEqualTo(3);
        assertThat(owner.join(LONG_MILLIS)).isTrue();
        assertThat(taken).containsExactly(1, 2, 3);
    }

    @Test
    void whoWaitsForSeveralIsNotWokenByFewerThatComeTogether() throws InterruptedException {
        Worker owner = owner(4, LONG_MICROS);
        mailbox.offerAll(List.of(1, 2, 3), 10);
        assertThat(owner.join(10)).isFalse();
        mailbox.offerAll(List.of(4, 5), 10);
        assertThat(owner.join(LONG_MILLIS)).isTrue();
        assertThat(seen).hasValue(5);
    }

    @Test
    void ofSeveralTheFirstAreTakenForWhichThereIsRoom() {
        assertThat(mailbox.offerAll(List.of(1, 2, 3), 2)).isEqualTo(2);
        assertThat(mailbox.offerAll(List.of(4), 2)).isZero();
        assertThat(mailbox.offer(5)).isTrue();
        assertThat(mailbox.offerAll(List.of(6), 2)).isZero();
        List<Integer> many = IntStream.range(10, 30).boxed().toList();
        assertThat(mailbox.offerAll(many, 100)).isEqualTo(7);
        assertThat(mailbox.offer(99)).isFalse();
        List<Integer> taken = new ArrayList<>();
        assertThat(mailbox.drainTo(taken, 4)).isEqualTo(4);
        assertThat(mailbox.drainTo(taken, 100)).isEqualTo(6);
        assertThat(taken).containsExactly(1, 2, 5, 10, 11, 12, 13, 14, 15, 16);
        assertThat(mailbox.size()).isZero();
    }

    /** Many give, alone and together, and one takes: nothing is lost or taken twice, and each one's stay in order. */
    @Test
    @Tag("threads")
    void whatManyGiveIsTakenOnceAndInOrder() throws InterruptedException {
        int givers = 4;
        int each = 20_000;
        List<Worker> workers = new ArrayList<>();
        for (int giver = 0; giver < givers; giver++) {
            int first = giver * each;
            workers.add(scheduler.start("giver-" + giver, () -> give(first, first + each)));
        }
        int[] next = new int[givers];
        List<Integer> taken = new ArrayList<>();
        for (int count = 0; count < givers * each; count += taken.size()) {
            taken.clear();
            Integer one = mailbox.poll(LONG_MILLIS);
            assertThat(one).isNotNull();
            taken.add(one);
            mailbox.drainTo(taken, 5);
            for (int item : taken) {
                assertThat(item % each).isEqualTo(next[item / each]++);
            }
            mailbox.awaitSize(3, 50);
        }
        for (Worker worker : workers) {
            assertThat(worker.join(LONG_MILLIS)).isTrue();
        }
        assertThat(mailbox.size()).isZero();
    }

    private void give(int from, int to) {
        int next = from;
        while (next < to) {
            int together = Math.min(next % 7, to - next);
            if (together == 0) {
                next += mailbox.offer(next) ? 1 : 0;
            } else {
                List<Integer> items =
                        IntStream.range(next, next + together).boxed().toList();
                next += mailbox.offerAll(items, 8);
            }
        }
    }

    @Test
    void anInterruptionEndsIt() throws InterruptedException {
        Worker owner = owner(2, LONG_MICROS);
        owner.interrupt();
        assertThat(owner.join(LONG_MILLIS)).isTrue();
        assertThat(seen).hasValue(-1);
    }
}
