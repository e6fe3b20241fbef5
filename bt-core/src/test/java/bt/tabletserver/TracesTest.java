package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.record.RequestTrace;
import bt.testing.ManualClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TracesTest {
    private static final Caller ADA = new Caller("ada", "127.0.0.1:5", Long.MAX_VALUE);

    private final ManualClock clock = new ManualClock(0);
    private final Traces traces = new Traces(clock, 10);

    /** A request that takes so long. */
    private void request(String kind, long table, long micros) {
        Trace trace = traces.begin(new Trace.Came(kind, table, Bytes.utf8("row")), ADA);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        traces.keep(trace, answer);
        trace.taken();
        clock.set(clock.micros() + micros);
        answer.complete(new Answer.Mutated(List.of()));
    }

    private List<Long> slowest(String kind) {
        return traces.slowest(1_000, Optional.of(kind)).stream()
                .map(RequestTrace::getTotalMicros)
                .toList();
    }

    @Test
    void oneRequestOfSoManyIsTraced() {
        int traced = 0;
        for (int i = 0; i < 1_000; i++) {
            traced += traces.wantsNext() ? 1 : 0;
        }
        assertThat(traced).isEqualTo(100);
        assertThat(new Traces(clock, 0).wantsNext()).isFalse();
    }

    @Test
    void theSlowestAreKeptAndNoMore() {
        for (int i = 1; i <= 10_000; i++) {
            request("get", 4, i % 5_000);
        }
        assertThat(slowest("get"))
                .hasSize(SlowestTraces.MOST)
                .startsWith(4_999L, 4_999L, 4_998L)
                .isSortedAccordingTo((a, b) -> Long.compare(b, a));
        assertThat(traces.slowest(3, Optional.empty())).hasSize(3);
    }

    @Test
    void manySlowWritesLeaveRoomForGets() {
        request("get", 4, 5);
        request("write", 0, 7);
        for (int i = 0; i < 1_000; i++) {
            request("write", 4, 100_000);
        }
        assertThat(slowest("get")).containsExactly(5L);
        assertThat(slowest("write")).contains(7L, 100_000L);
    }

    @Test
    void whatIsLongAgoIsForgotten() {
        request("scan", 4, 1_000);
        clock.set(clock.micros() + SlowestTraces.PERIOD_NANOS / 1_000 + 1);
        request("scan", 4, 10);
        assertThat(slowest("scan")).containsExactly(1_000L, 10L);
        clock.set(clock.micros() + SlowestTraces.PERIOD_NANOS / 1_000 + 1);
        request("scan", 4, 20);
        assertThat(slowest("scan")).containsExactly(20L, 10L);
        clock.set(clock.micros() + 3 * SlowestTraces.PERIOD_NANOS / 1_000);
        assertThat(slowest("scan")).isEmpty();
    }
}
