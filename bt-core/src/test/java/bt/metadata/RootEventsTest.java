package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import bt.record.RootEvent;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The root tablet's history is short, for every client reads it. */
class RootEventsTest {
    @Test
    void eachHistoryKeepsItsNewest() {
        List<RootEvent> events = RootEvents.with(List.of(), RowEvent.of("created"), 0);
        for (int i = 1; i <= 3 * RootEvents.KEPT; i++) {
            events = RootEvents.with(events, RowEvent.ofFiles("compaction " + i), i);
        }
        assertThat(events)
                .extracting(RootEvent::getMicros)
                .startsWith(0L)
                .endsWith(IntStream.rangeClosed(2 * RootEvents.KEPT + 1, 3 * RootEvents.KEPT)
                        .mapToObj(Long::valueOf)
                        .toArray(Long[]::new))
                .hasSize(RootEvents.KEPT + 1);
        for (int i = 1; i <= RootEvents.KEPT; i++) {
            events = RootEvents.with(events, RowEvent.of("served " + i), 1_000 + i);
        }
        assertThat(events).hasSize(2 * RootEvents.KEPT);
        assertThat(events.stream().filter(event -> !event.getOfFiles()))
                .extracting(RootEvent::getWhat)
                .startsWith("served 1")
                .endsWith("served " + RootEvents.KEPT);
    }

    @Test
    void anEventIsShort() {
        List<RootEvent> events = RootEvents.with(List.of(), RowEvent.of("x".repeat(10_000)), 1);
        assertThat(events.get(0).getWhat()).hasSize(RootEvents.MAX_CHARS);
    }
}
