package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.tabletserver.SampledTraffic.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SampledTrafficTest {
    private static final long TOO_MUCH = 4_000;

    private final List<Traffic> all = new ArrayList<>();
    private long nowSeconds;

    /** Each of the tablets gets so many requests a window, for rows that have a half. */
    private void window(int... requests) {
        for (int i = 0; i < requests.length; i++) {
            if (all.size() == i) {
                all.add(new Traffic(nowNanos()));
            }
            for (int request = 0; request < requests[i]; request++) {
                all.get(i).count(Bytes.utf8("row%06d".formatted(request * 7_919 % 10_000)));
            }
        }
        nowSeconds += 10;
        SampledTraffic.choose(shares(TOO_MUCH), nowNanos());
    }

    private List<Share> shares(long tooMuch) {
        return all.stream().map(traffic -> new Share(traffic, tooMuch)).toList();
    }

    private long nowNanos() {
        return TimeUnit.SECONDS.toNanos(nowSeconds);
    }

    private List<Traffic> sampled() {
        return all.stream()
                .filter(traffic -> traffic.half(nowNanos()).isPresent())
                .toList();
    }

    /** 2,000 in ten seconds are three times too much, 100 less than a quarter of it. */
    @Test
    void ofBusyTabletsRowsAreKeptAndOfNoOthers() {
        for (int i = 0; i < 6; i++) {
            window(2_000, 100, 2_000);
        }
        assertThat(sampled()).containsExactly(all.get(0), all.get(2));
        for (int i = 0; i < 20; i++) {
            window(2_000, 100, 100);
        }
        assertThat(sampled()).containsExactly(all.get(0));
    }

    @Test
    void ofAsManyAsAServerHasRoomForTheBusiest() {
        int[] requests = IntStream.range(0, SampledTraffic.MOST + 8)
                .map(i -> 1_000 + i * 389 % 1_000)
                .toArray();
        for (int i = 0; i < 6; i++) {
            window(requests);
        }
        Stream<Traffic> busiest = all.stream()
                .sorted(Comparator.comparingLong((Traffic traffic) -> traffic.perMinute(nowNanos()))
                        .reversed())
                .limit(SampledTraffic.MOST);
        assertThat(sampled()).containsExactlyInAnyOrderElementsOf(busiest.toList());
    }

    @Test
    void whereNothingIsTooMuchNoRowIsKept() {
        for (int i = 0; i < 6; i++) {
            window(2_000);
        }
        assertThat(sampled()).hasSize(1);
        SampledTraffic.choose(shares(0), nowNanos());
        assertThat(sampled()).isEmpty();
    }
}
