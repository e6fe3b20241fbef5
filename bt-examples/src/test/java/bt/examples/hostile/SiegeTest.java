package bt.examples.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.examples.hostile.HostileReport.Held;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SiegeTest {
    private static final long LONG_MILLIS = 60_000;
    private static final int LEAK_BYTES = 48 << 20;

    private final HostileTally tally = new HostileTally();
    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private Siege.Party run(Attack attack, int frames, long stillMillis) throws Exception {
        Siege.Party party = new Siege.Party("party", List.of(attack, attack), frames);
        new Siege(scheduler, tally, stillMillis).run(List.of(party));
        return party;
    }

    @Test
    void itEndsWhenAllFramesAreAnswered() throws Exception {
        Siege.Party party = run(() -> 3, 1_000, LONG_MILLIS);
        assertThat(party.answered().get()).isGreaterThanOrEqualTo(1_000);
        assertThat(tally.words()).isEmpty();
    }

    /** As an acceptor does that died: connections are refused at once, so many a second that frames would be counted quickly. */
    @Test
    void refusedConnectionsAreNoFramesAndEndIt() throws Exception {
        Siege.Party party = run(
                () -> {
                    throw new ConnectException("Connection refused");
                },
                10_000_000,
                LONG_MILLIS);
        assertThat(party.answered().get()).isZero();
        assertThat(tally.words()).anyMatch(word -> word.contains("Connection refused"));
        assertThat(tally.anomalies()).isGreaterThan(1);
    }

    @Test
    void aServerThatHangsDoesNotKeepItForEver() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Siege.Party party = run(
                () -> {
                    try {
                        never.await();
                    } catch (InterruptedException stopped) {
                        throw new IllegalStateException(stopped);
                    }
                    return 1;
                },
                10,
                100);
        assertThat(party.answered().get()).isZero();
        never.countDown();
        assertThat(tally.words())
                .contains(
                        "no frame was answered for 100 ms",
                        "party: 0 of 10 frames had come to their end when it was given up");
    }

    @Test
    void whatIsKeptIsSeen() throws Exception {
        List<byte[]> leak = new ArrayList<>();
        Siege.Party party = new Siege.Party(
                "party",
                List.of(() -> {
                    if (leak.isEmpty()) {
                        leak.add(new byte[0]);
                    } else if (leak.size() == 1) {
                        leak.add(new byte[LEAK_BYTES]);
                    }
                    return 10;
                }),
                1_000);
        Held held = new Siege(scheduler, tally, LONG_MILLIS).run(List.of(party)).held();
        assertThat(held.late().heapBytes()).isGreaterThan(LEAK_BYTES);
        assertThat(leak).hasSize(2);
    }
}
