package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.TabletEvent;
import bt.model.TabletId;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LastEventsTest {
    private static final TabletId TABLET = new TabletId(1, Optional.empty());

    private static List<String> last(int most, TabletEvent... events) {
        LastEvents last = new LastEvents(most);
        List.of(events).forEach(last::add);
        return last.oldestFirst().stream().map(TabletEvent::what).toList();
    }

    private static TabletEvent event(long micros, String what) {
        return new TabletEvent(TABLET, micros, what);
    }

    @Test
    void theNewestComeInTheOrderOfTheirTimesWhicheverTabletTheyAreOf() {
        TabletEvent[] mixed = LongStream.of(5, 1, 4, 2, 3)
                .mapToObj(micros -> event(micros, "at " + micros))
                .toArray(TabletEvent[]::new);
        assertThat(last(3, mixed)).containsExactly("at 3", "at 4", "at 5");
        assertThat(last(10, mixed)).containsExactly("at 1", "at 2", "at 3", "at 4", "at 5");
        assertThat(last(3)).isEmpty();
    }

    @Test
    void eventsOfOneTimeStayInTheirOrder() {
        assertThat(last(2, event(7, "first"), event(7, "second"), event(7, "third")))
                .containsExactly("second", "third");
    }
}
