package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.master.TabletRoom.More;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.RowSet;
import bt.model.TabletId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TabletRoomTest {
    private static final long TABLE = 4;

    /** Of two tablets; with names of one byte each takes 805. */
    private static final long MOST = 2_000;

    private static final More ONE = new More(1, 1, 0);

    private final TabletImage image = new TabletImage();
    private final AtomicLong descriptions = new AtomicLong();
    private final TabletRoom room = new TabletRoom(image, descriptions::get, MOST, 1);

    @Test
    void tabletsThatAreBeingWrittenCountOnceBeforeTheyAreSeenAndAfter() throws Exception {
        room.check("table t", ONE);
        room.comes(TABLE, new More(2, 2, 0));
        assertIsFull();
        room.decided(TABLE, true);
        assertIsFull();
        see("a");
        assertIsFull();
        see("a", "b");
        assertIsFull();
        see("b");
        room.check("table t", ONE);
    }

    @Test
    void thoseOfATableThatWillNotBeCountNoMore() throws Exception {
        room.comes(TABLE, new More(2, 2, 0));
        room.decided(TABLE, false);
        room.check("table t", new More(2, 2, 0));
        assertThat(room.isFull()).isFalse();
    }

    @Test
    void descriptionsCountAsTheyAreNow() throws Exception {
        room.check("table t", new More(0, 0, MOST));
        descriptions.set(1_500);
        room.check("table t", new More(0, 0, MOST - 1_500));
        assertIsFull();
        assertThatThrownBy(() -> room.check("table t", new More(0, 0, MOST - 1_499)))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith(
                        "table t: 501 bytes of a description more take 501 bytes of the master's memory;"
                                + " 0 tablets with names of 0 bytes, and descriptions of 1500, take 1500 of 2000 bytes: drop tables");
    }

    private void assertIsFull() {
        assertThat(room.isFull()).isTrue();
        assertThat(room.problem())
                .hasValueSatisfying(problem -> assertThat(problem).startsWith("no table is created"));
        assertThatThrownBy(() -> room.check("table u", ONE))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table u: 1 more tablets take 805 bytes");
    }

    /** A pass reads tablets with these ends. */
    private void see(String... ends) {
        List<MetadataRow> rows = List.of(ends).stream()
                .map(end -> new MetadataRow(
                        new TabletId(TABLE, Optional.of(Bytes.utf8(end))),
                        1,
                        1,
                        TabletStates.unassigned(),
                        TabletStates.empty(Optional.empty())))
                .toList();
        RowSet keys = RowSet.of(MetadataKeys.tables(TABLE, TABLE));
        image.read(new UserRows(rows, List.of(), List.of(), RowSet.of(TabletImage.KEYS), keys, RowSet.NONE));
        assertThat(image.tablets(TABLE)).hasSameSizeAs(Set.of(ends));
    }
}
