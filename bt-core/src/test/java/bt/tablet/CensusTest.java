package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.tablet.Census.Waiting;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CensusTest {
    private static final long HOUR = 3_600_000_000L;

    /** Nobody compacts here, so that nobody keeps the promise. */
    @Test
    void whatIsPromisedIsSeenToBeBrokenUntilItIsDone() throws Exception {
        FamilySchema family = new FamilySchema(1, "f", LocalityGroup.DEFAULT_NAME, GcRule.KEEP_ALL).purgedWithin(HOUR);
        TabletFixture fixture = new TabletFixture(new TableSchema(
                4, "t", 1, 2, TableSchema.Durability.SYNC, List.of(family), List.of(LocalityGroup.DEFAULT)));
        fixture.apply(RowMutation.of("r").set("f", "q", "v").build());
        assertThat(fixture.tablet.census().waiting()).isEmpty();
        fixture.apply(RowMutation.of(Bytes.utf8("r")).deleteFamily("f").build());
        fixture.flush();

        fixture.clock.set(fixture.clock.micros() + HOUR / 2);
        assertThat(waiting(fixture).isTooLong()).isFalse();
        fixture.clock.set(fixture.clock.micros() + HOUR);
        Waiting late = waiting(fixture);
        assertThat(late.isTooLong()).isTrue();
        assertThat(late.longestMicros()).isBetween(HOUR * 3 / 2 - 10, HOUR * 3 / 2);
        assertThat(late.deletionMicros()).isEqualTo(OptionalLong.of(late.longestMicros()));

        fixture.compactAll();
        assertThat(fixture.tablet.census().waiting()).isEmpty();
        assertThat(fixture.tablet.files()).isEmpty();
    }

    private static Waiting waiting(TabletFixture fixture) {
        assertThat(fixture.tablet.census().waiting()).hasSize(1);
        return fixture.tablet.census().waiting().get(0);
    }
}
