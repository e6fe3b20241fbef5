package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.master.Merges.Wish;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.TabletStates;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Phase;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Below the root tablet METADATA has three tablets: the first two end with the rows of table 4's tablets b and d. */
class MetadataEndsTest {
    private static final List<KnownTablet> PARTS = parts();
    private static final Wish FIRST_TWO = wish(0);
    private static final Wish LAST_TWO = wish(1);

    private final SimScheduler scheduler = new SimScheduler(1);
    private final MemoryCluster cluster = new MemoryCluster();
    private final Merges merges = new Merges(
            cluster.metadata,
            new Hindrances(),
            scheduler,
            MasterConfig.DEFAULT,
            new TabletOrders(cluster, 5_000, 1),
            () -> {});
    private final TabletImage image = new TabletImage();
    private final AtomicInteger woken = new AtomicInteger();
    private final MetadataEnds ends = new MetadataEnds(image, scheduler.clock(), woken::incrementAndGet);

    /** Whether passes can read the rows that they want. */
    private boolean hasRead = true;

    MetadataEndsTest() throws Exception {}

    @AfterEach
    void close() {
        cluster.close();
    }

    /** What is known may be of long ago: of a tablet that was split since one half alone. */
    @Test
    void whereRowsCannotBeReadAnewNothingIsWrong() {
        scheduler.run(Duration.ofMinutes(5), () -> {
            know("a", "");
            pass();
            hasRead = false;
            pass();
            pass();
            pass();
            assertThat(merges.wishes()).isEmpty();
            hasRead = true;
            pass();
            pass();
            assertThat(merges.wishes()).containsExactly(FIRST_TWO);
        });
    }

    @Test
    void oneThatCannotBeMergedLeavesTheNextItsTurnAndIsTriedEverMoreSeldom() {
        scheduler.run(Duration.ofMinutes(5), () -> {
            know("a", "");
            pass();
            pass();
            assertThat(merges.wishes())
                    .as("before the rows have been read anew")
                    .isEmpty();
            pass();
            assertThat(merges.wishes()).containsExactly(FIRST_TWO);
            giveUp();
            pass();
            passAfter(9);
            assertThat(merges.wishes()).isEmpty();
            passAfter(2);
            assertThat(merges.wishes()).containsExactly(LAST_TWO);
            giveUp();
            pass();
            passAfter(19);
            assertThat(merges.wishes()).isEmpty();
            passAfter(2);
            assertThat(merges.wishes()).containsExactly(FIRST_TWO);
        });
    }

    @Test
    void usersTabletsWaitForAMergeOfTheirOwnEndAndForNoneBehindIt() {
        scheduler.run(Duration.ofMinutes(5), () -> {
            know("a", "b", "c", "d", "");
            pass();
            assertThat(mustWait("a", "b")).as("of which one tells").isFalse();
            assertThat(mustWait("b", "c")).isTrue();
            assertThat(woken).hasValue(1);
            pass();
            assertThat(merges.wishes()).containsExactly(FIRST_TWO);
            assertThat(mustWait("b", "c")).isTrue();
            assertThat(mustWait("d", "")).as("of another end").isFalse();
            giveUp();
            pass();
            assertThat(mustWait("b", "c")).isFalse();
            passAfter(11);
            assertThat(mustWait("b", "c")).isTrue();
        });
    }

    @Test
    void manyThatAreToBeOneWaitForAllThatEndAmongThem() {
        scheduler.run(Duration.ofMinutes(5), () -> {
            know("a", "b", "c", "d", "");
            pass();
            assertThat(mustWait("a", "b", "c", "d", "")).isTrue();
            pass();
            RowRange all = new RowRange(PARTS.get(0).range().start(), Optional.empty());
            assertThat(merges.wishes()).containsExactly(new Wish(TableSchema.METADATA_ID, all));
        });
    }

    /** Tablets that have just been split. */
    @Test
    void whatTheMasterDidNotKnowIsReadAndIsNoReason() {
        scheduler.run(Duration.ofMinutes(5), () -> {
            know("a", "");
            pass();
            assertThat(new RowSet(image.wanted()).contains(MetadataKeys.of(id("b"))))
                    .isTrue();
            know("a", "b", "c", "d", "");
            pass();
            pass();
            assertThat(merges.wishes()).isEmpty();
        });
    }

    /** All tablets of the table are these. */
    private void know(String... tablets) {
        List<MetadataRow> rows = new ArrayList<>();
        Optional<Bytes> previous = Optional.empty();
        for (String end : tablets) {
            rows.add(new MetadataRow(id(end), 1, 1, TabletStates.unassigned(), TabletStates.empty(previous)));
            previous = id(end).endRow();
        }
        RowSet all = RowSet.of(TabletImage.KEYS);
        UserRows seen = new UserRows(rows, List.of(), List.of(), all, all, RowSet.NONE);
        image.read(seen);
        image.passed(seen, Set.of(), Sights.of(Map.of()));
    }

    private void pass() {
        ends.seek(PARTS, merges);
        ends.look(keys -> hasRead);
    }

    private void passAfter(long seconds) throws InterruptedException {
        scheduler.pause(seconds * 1_000);
        pass();
    }

    /** Whatever is wished for, as of a table that is dropped. */
    private void giveUp() {
        merges.keep(Set.of());
    }

    private boolean mustWait(String... tablets) {
        return ends.mustWait(List.of(tablets).stream().map(MetadataEndsTest::id).toList());
    }

    private static TabletId id(String end) {
        return new TabletId(4, end.isEmpty() ? Optional.empty() : Optional.of(Bytes.utf8(end)));
    }

    private static List<KnownTablet> parts() {
        List<KnownTablet> parts = new ArrayList<>();
        Optional<Bytes> previous = MetadataSchema.ROOT.endRow();
        for (Optional<Bytes> end : List.of(
                Optional.of(MetadataKeys.of(id("b"))),
                Optional.of(MetadataKeys.of(id("d"))),
                Optional.<Bytes>empty())) {
            TabletId part = new TabletId(TableSchema.METADATA_ID, end);
            parts.add(new KnownTablet(part, previous, Phase.SERVING, 7, false, false, false, 1_000, Optional.empty()));
            previous = end;
        }
        return parts;
    }

    /** That this one and the next are to be one. */
    private static Wish wish(int part) {
        return new Wish(
                TableSchema.METADATA_ID,
                new RowRange(
                        PARTS.get(part).range().start(),
                        PARTS.get(part + 1).range().end()));
    }
}
