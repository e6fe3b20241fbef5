package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Scheduler.Worker;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
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
    void anInterruptionEndsIt() throws InterruptedException {
        Worker owner = owner(2, LONG_MICROS);
        owner.interrupt();
        assertThat(owner.join(LONG_MILLIS)).isTrue();
        assertThat(seen).hasValue(-1);
    }
}
