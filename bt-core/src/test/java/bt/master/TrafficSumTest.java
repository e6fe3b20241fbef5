package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import bt.protocol.Address;
import bt.protocol.LatencyScale;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Servers that count from their start, of which some are silent at times. */
class TrafficSumTest {
    private static final Member ONE = new Member("one", new Address("one", 1), 1, "");
    private static final Member TWO = new Member("two", new Address("two", 1), 2, "");
    private static final int FAST = 4;
    private static final int SLOW = 40_000;
    private static final Offset<Double> ALMOST = within(0.001);

    private final TrafficSum traffic = new TrafficSum();

    @Test
    void whatCameSinceTheLookBeforeIsToldForASecond() {
        since(0, Map.of(ONE, reads(1_000, SLOW, 1)));
        TrafficSum.Rates rates = since(5, Map.of(ONE, reads(1_500, SLOW, 1)));
        assertThat(rates.requestsPerSecond()).isCloseTo(100, ALMOST);
        assertThat(rates.p99Micros()).isEqualTo(FAST);
    }

    /** All that it ever did would be told for these seconds. */
    @Test
    void aServerThatDidNotAnswerOnceIsComparedWithItsLastAnswer() {
        since(0, Map.of(ONE, reads(1_000_000, SLOW, 100_000), TWO, reads(0, SLOW, 0)));
        TrafficSum.Rates silent = since(5, Map.of(TWO, reads(500, SLOW, 0)));
        assertThat(silent.requestsPerSecond()).isCloseTo(100, ALMOST);
        TrafficSum.Rates back = since(10, Map.of(ONE, reads(1_002_000, SLOW, 100_000), TWO, reads(1_000, SLOW, 0)));
        assertThat(back.p99Micros()).isEqualTo(FAST);
        assertThat(back.readP99Micros()).isEqualTo(FAST);
        // Of ten seconds the one, of five the other.
        assertThat(back.requestsPerSecond()).isCloseTo(2_000 / 10.0 + 500 / 5.0, ALMOST);
    }

    @Test
    void aServerThatDidNotAnswerTheFirstLookBeginsWithItsFirstAnswer() {
        since(0, Map.of());
        assertThat(since(5, Map.of(ONE, reads(1_000_000, SLOW, 100_000))).p99Micros())
                .isEqualTo(-1);
        TrafficSum.Rates rates = since(10, Map.of(ONE, reads(1_000_500, SLOW, 100_000)));
        assertThat(rates.requestsPerSecond()).isCloseTo(100, ALMOST);
        assertThat(rates.p99Micros()).isEqualTo(FAST);
    }

    @Test
    void whatANewServerDidIsOfTheSecondsSinceItWasNotThere() {
        look(0, List.of(ONE), Map.of(ONE, reads(0, SLOW, 0)));
        TrafficSum.Rates rates = look(5, List.of(ONE, TWO), Map.of(ONE, reads(0, SLOW, 0), TWO, reads(500, SLOW, 0)));
        assertThat(rates.requestsPerSecond()).isCloseTo(100, ALMOST);
    }

    /** Another may have its place, and counts from 0. */
    @Test
    void aServerThatIsDeadIsForgotten() {
        look(0, List.of(ONE, TWO), Map.of(ONE, reads(0, SLOW, 0), TWO, reads(1_000, SLOW, 0)));
        look(5, List.of(ONE), Map.of(ONE, reads(0, SLOW, 0)));
        TrafficSum.Rates rates = look(10, List.of(ONE, TWO), Map.of(ONE, reads(0, SLOW, 0), TWO, reads(500, SLOW, 0)));
        assertThat(rates.requestsPerSecond()).isCloseTo(100, ALMOST);
    }

    private TrafficSum.Rates since(int second, Map<Member, RequestReport> answers) {
        return look(second, List.of(ONE, TWO), answers);
    }

    private TrafficSum.Rates look(int second, List<Member> living, Map<Member, RequestReport> answers) {
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>();
        answers.forEach((member, reads) -> answered.put(
                member,
                Poll.Holdings.of(ServerStatus.newBuilder()
                        .setServer(member.id())
                        .setEpoch(member.epoch())
                        .setLockHeld(true)
                        .setPid(1)
                        .setTablets(List.of())
                        .setReads(reads)
                        .build())));
        return traffic.since(new Sight(living, List.of(), answered, Set.of()), second * 1_000_000_000L);
    }

    /** So many that were fast, and so many that took this long. */
    private static RequestReport reads(long fast, int micros, long slow) {
        List<Long> byLatency = new ArrayList<>(Collections.nCopies(LatencyScale.CLASSES, 0L));
        byLatency.set(LatencyScale.classOf(FAST), fast);
        byLatency.set(LatencyScale.classOf(micros), slow);
        return new RequestReport(fast + slow, 0L, byLatency);
    }
}
