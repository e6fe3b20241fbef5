package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.tabletserver.TabletSet.Failure;
import bt.tabletserver.TabletSet.Holding;
import bt.testing.ManualClock;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TabletSetTest {
    private static final Bytes ROW = Bytes.utf8("a");

    private final TabletSet tablets = new TabletSet();
    private final HostedTablet served = new CommitFixture(1, Durability.SYNC, 1 << 20).hosted;
    private final long table = served.id().tableId();

    TabletSetTest() throws BigtableException {}

    private TabletId endingWith(String row) {
        return new TabletId(table, Optional.of(Bytes.utf8(row)));
    }

    @Test
    void aRowIsFoundInTheTabletThatHoldsIt() {
        tablets.put(Holding.serving(served));
        assertThat(tablets.find(table, ROW)).containsSame(served);
        assertThat(tablets.find(table + 1, ROW)).isEmpty();
        assertThat(tablets.find(table - 1, ROW)).isEmpty();
    }

    @Test
    void aRowIsFoundBesideTheOneBeforeOnlyWhereThatTabletHoldsIt() {
        TabletSet empty = new TabletSet();
        assertThat(empty.find(table, ROW, Optional.of(served))).containsSame(served);
        assertThat(empty.find(table, ROW, Optional.empty())).isEmpty();
        assertThat(empty.find(table + 1, ROW, Optional.of(served))).isEmpty();
        tablets.put(Holding.serving(served));
        assertThat(tablets.find(table, ROW, Optional.empty())).containsSame(served);
    }

    /** It was merged into this one meanwhile, by servers that did not know of its failure here. */
    @Test
    void aTabletThatCouldNotBeLoadedHidesNoneBehindIt() {
        tablets.put(Holding.failed(endingWith("m"), new Failure("no file", true)));
        tablets.put(Holding.loading(endingWith("p"), new LoadWatch(new ManualClock(0), 1, () -> 0).begin()));
        assertThat(tablets.find(table, ROW)).isEmpty();
        tablets.put(Holding.serving(served));
        assertThat(tablets.find(table, ROW)).containsSame(served);
        assertThat(tablets.find(table - 1, ROW)).isEmpty();
    }

    @Test
    void theTabletsOfATableAreNoOthers() {
        Failure failure = new Failure("no file", true);
        TabletId first = endingWith("");
        tablets.put(Holding.failed(first, failure));
        tablets.put(Holding.serving(served));
        for (long other : new long[] {0, table - 1, table + 1}) {
            tablets.put(Holding.failed(new TabletId(other, Optional.of(ROW)), failure));
            tablets.put(Holding.failed(new TabletId(other, Optional.empty()), failure));
        }
        assertThat(tablets.of(table)).extracting(Holding::id).containsExactly(first, served.id());
        assertThat(tablets.schema(table)).contains(served.tablet().schema());
        assertThat(tablets.of(table + 1)).hasSize(2);
        assertThat(tablets.schema(table + 1)).isEmpty();
        assertThat(tablets.of(table + 2)).isEmpty();
    }
}
