package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.RowSet;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.testing.MemoryCluster;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a pass reads of the one tablet of a server that has lost its lock. */
class PassScopeTest {
    private static final Member SERVER = new Member("s", new Address("host-1", 1), 7, "");
    private static final TabletId TABLET = new TabletId(4, Optional.empty());

    private final SimScheduler scheduler = new SimScheduler(1);

    /** From then on nobody waits for its lease any more, and whoever closed its log would end a server that lives. */
    @Test
    void whoMayReturnIsNotTakenForDead() {
        looks(new Sight(List.of(), List.of(SERVER), Map.of(), Set.of()), (scope, graves) -> {
            assertThat(scope.waiting()).containsExactly(TABLET);
            assertThat(graves.isKnownFor(SERVER.epoch(), 0)).isFalse();
            assertThat(graves.open()).isEmpty();
        });
    }

    @Test
    void whoIsGoneIsDead() {
        looks(new Sight(List.of(), List.of(), Map.of(), Set.of()), (scope, graves) -> {
            assertThat(scope.waiting()).containsExactly(TABLET);
            assertThat(graves.isKnownFor(SERVER.epoch(), 0)).isTrue();
            assertThat(graves.open()).containsExactly(SERVER.epoch());
        });
    }

    private interface Seen {
        void after(PassScope scope, Graves graves);
    }

    /** Three passes that see this. */
    private void looks(Sight sight, Seen seen) {
        MemoryFileStore files = new MemoryFileStore(scheduler.clock());
        scheduler.run(Duration.ofMinutes(1), () -> {
            try (Workers workers = Workers.start(scheduler);
                    MemoryCluster cluster = new MemoryCluster()) {
                MasterConfig config = MasterConfig.DEFAULT;
                Graves graves = new Graves(files.process("master"), scheduler, workers, config.leaseMillis(), () -> {});
                TabletImage image = new TabletImage();
                UserRows rows = rows();
                image.read(rows);
                image.passed(rows, Set.of(), sight);
                PassScope scope = new PassScope(
                        image,
                        new ImageCheck(config, scheduler.clock()),
                        new Merges(
                                cluster.metadata,
                                new Hindrances(),
                                scheduler,
                                config,
                                new TabletOrders(cluster, config.requestMillis(), 1),
                                () -> {}),
                        graves,
                        new Recoveries(files.process("master"), scheduler.clock(), graves, Runnable::run));
                for (int i = 0; i < 3; i++) {
                    RowSet unused = scope.begin(sight, true, table -> true);
                    graves.looked(sight);
                }
                RowSet unused = scope.begin(sight, true, table -> true);
                seen.after(scope, graves);
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static UserRows rows() {
        TabletLocation location =
                new TabletLocation(Phase.SERVING, SERVER.id(), SERVER.address().toString(), SERVER.epoch());
        MetadataRow row = new MetadataRow(TABLET, 1, 0, location, TabletStates.empty(Optional.empty()));
        RowSet all = RowSet.of(TabletImage.KEYS);
        return new UserRows(List.of(row), List.of(), List.of(), all, all, new RowSet(List.of()));
    }
}
