package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.Dwindling;
import bt.metadata.MetadataSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.testing.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A server that gives up tablets, and has no room to name all of them. */
class DeparturesTest {
    private static final Member SERVER = new Member("server", new Address("server", 1), 1, "");
    private static final TabletId FIRST = new TabletId(7, Optional.of(Bytes.utf8("m")));
    private static final TabletId SECOND = new TabletId(7, Optional.empty());

    private final ManualClock clock = new ManualClock(1);
    private final Departures users = departures(true);

    private Departures departures(boolean ofUsers) {
        return new Departures(
                tablet -> (tablet.tableId() != 0) == ofUsers,
                new Dwindling(clock, 60_000, Deadline.after(clock, 3_600_000)));
    }

    /** It would be waited for twice as long. */
    @Test
    void whatIsNotNamedHasNotGoneBeforeItIsNotAmongThemEither() {
        users.saw(sight(List.of(FIRST, SECOND), List.of(), 0));
        pass(50);
        users.saw(sight(List.of(), List.of(FIRST), 2));
        users.saw(sight(List.of(), List.of(), 2));
        pass(9);
        assertThat(users.isOver()).isFalse();
        pass(2);
        assertThat(users.isOver()).as("none has gone for a minute").isTrue();
        users.saw(sight(List.of(), List.of(FIRST), 1));
        assertThat(users.isOver()).as("the second has gone").isFalse();
    }

    @Test
    void whoAreNotNamedMayBeOfUsersAndWhereNoUsersIsNamedOfMetadata() {
        Departures metadata = departures(false);
        Poll.Holdings all = Sights.leaving(SERVER, List.of(), List.of(FIRST), 1);
        assertThat(users.concernUnnamed(all)).isFalse();
        Poll.Holdings usersNamed = Sights.leaving(SERVER, List.of(), List.of(FIRST), 2);
        assertThat(users.concernUnnamed(usersNamed)).isTrue();
        assertThat(metadata.concernUnnamed(usersNamed)).isFalse();
        for (List<TabletId> named : List.of(List.<TabletId>of(), List.of(MetadataSchema.ROOT))) {
            Poll.Holdings others = Sights.leaving(SERVER, List.of(), named, 2);
            assertThat(users.concernUnnamed(others)).isTrue();
            assertThat(metadata.concernUnnamed(others)).isTrue();
        }
    }

    private void pass(int seconds) {
        clock.set(clock.micros() + Duration.ofSeconds(seconds).toNanos() / 1_000);
    }

    private static Sight sight(List<TabletId> served, List<TabletId> leaving, int inAll) {
        Poll.Holdings told = Sights.leaving(
                SERVER,
                served.stream()
                        .map(tablet -> Sights.report(tablet, Phase.SERVING))
                        .toList(),
                leaving,
                inAll);
        return new Sight(List.of(SERVER), List.of(), Map.of(SERVER, told), Set.of());
    }
}
