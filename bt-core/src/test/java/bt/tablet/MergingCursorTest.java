package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.RowMutation;
import bt.sstable.Cursor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergingCursorTest {
    @Test
    void severalRunsAreOneInOrderAndEqualKeysAreShownOnce() throws BigtableException {
        Memtable first = memtable(1, "b", "d");
        Memtable second = memtable(1, "b", "c");
        Memtable third = memtable(9, "a", "d");

        List<Bytes> keys = keys(MergingCursor.of(List.of(first.cursor(), second.cursor(), third.cursor())));

        assertThat(keys).hasSize(5).isSorted();
    }

    @Test
    void aSeekGoesInBothDirections() throws BigtableException {
        Cursor cursor = MergingCursor.of(
                List.of(memtable(1, "a", "c").cursor(), memtable(5, "b").cursor()));
        List<Bytes> all = keys(cursor);

        assertThat(cursor.seek(all.get(2))).isTrue();
        assertThat(cursor.key().toBytes()).isEqualTo(all.get(2));
        assertThat(cursor.seek(all.get(0))).isTrue();
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key().toBytes()).isEqualTo(all.get(1));
        assertThat(cursor.seek(Bytes.utf8("z"))).isFalse();
        assertThat(cursor.next()).isFalse();
    }

    @Test
    void noRunsHaveNoEntry() throws BigtableException {
        assertThat(MergingCursor.of(List.of()).next()).isFalse();
    }

    private static Memtable memtable(long sequence, String... rows) throws BigtableException {
        Memtable memtable = new Memtable();
        for (String row : rows) {
            RowMutation mutation = RowMutation.of(row).set("all", "q", "v").build();
            memtable.apply(Resolver.resolve(mutation, RandomTable.schema(4), sequence, 7));
        }
        return memtable;
    }

    private static List<Bytes> keys(Cursor cursor) throws BigtableException {
        List<Bytes> keys = new ArrayList<>();
        while (cursor.next()) {
            keys.add(cursor.key().toBytes());
        }
        return keys;
    }
}
