package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.sstable.Cursor;
import java.util.NavigableMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Moves a cursor and a place in a sorted map side by side, at random, and expects that both show the same. */
public final class CursorWalk {
    private final Cursor cursor;
    private final NavigableMap<Bytes, Bytes> model;
    private boolean begun;
    /** Absent where a move found nothing. */
    private @Nullable Bytes at;

    /** A new cursor over what the map has. */
    public CursorWalk(Cursor cursor, NavigableMap<Bytes, Bytes> model) {
        this.cursor = cursor;
        this.model = model;
    }

    /** Goes so many steps, and to what the targets name in between. */
    public void walk(int steps, Supplier<Bytes> targets, RandomGenerator random) throws BigtableException {
        for (int i = 0; i < steps; i++) {
            String move = move(random.nextInt(12), targets);
            begun = true;
            if (at != null) {
                assertThat(cursor.key().toBytes()).as(move).isEqualTo(at);
                assertThat(cursor.value().toBytes()).as(move).isEqualTo(model.get(at));
            }
        }
    }

    private String move(int kind, Supplier<Bytes> targets) throws BigtableException {
        Bytes target = targets.get();
        if (kind == 0) {
            return expect("seek to " + target, cursor.seek(target), model.ceilingKey(target));
        }
        if (kind == 1) {
            return expect("seek before " + target, cursor.seekBefore(target), model.lowerKey(target));
        }
        if (kind == 2) {
            return expect("seek to the last", cursor.seekToLast(), model.isEmpty() ? null : model.lastKey());
        }
        if (kind < 8) {
            return expect("next", cursor.next(), following());
        }
        return expect("previous", cursor.previous(), at == null ? null : model.lowerKey(at));
    }

    private @Nullable Bytes following() {
        if (!begun) {
            return model.isEmpty() ? null : model.firstKey();
        }
        return at == null ? null : model.higherKey(at);
    }

    private String expect(String move, boolean found, @Nullable Bytes expected) {
        String moved = move + " from " + at;
        assertThat(found).as(moved).isEqualTo(expected != null);
        at = expected;
        return moved;
    }
}
