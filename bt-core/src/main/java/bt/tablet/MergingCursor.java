package bt.tablet;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.sstable.Cursor;
import java.util.List;

/** Several sorted runs as one. Of equal keys, which stand for one change, one is shown. One thread. */
final class MergingCursor implements Cursor {
    private final Cursor[] runs;
    /** The runs that are not at their end: a binary heap, the one that is to come next first. */
    private final Cursor[] heads;

    private int count;
    private boolean begun;
    private Direction direction = Direction.FORWARDS;

    private MergingCursor(List<Cursor> runs) {
        this.runs = runs.toArray(new Cursor[0]);
        this.heads = new Cursor[this.runs.length];
    }

    static Cursor of(List<Cursor> runs) {
        return runs.size() == 1 ? runs.get(0) : new MergingCursor(runs);
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        return move(Direction.FORWARDS, run -> run.seek(atOrAfter));
    }

    @Override
    public boolean seekBefore(Bytes before) throws BigtableException {
        return move(Direction.BACKWARDS, run -> run.seekBefore(before));
    }

    @Override
    public boolean seekToLast() throws BigtableException {
        return move(Direction.BACKWARDS, Cursor::seekToLast);
    }

    @Override
    public boolean next() throws BigtableException {
        if (!begun) {
            return seek(Bytes.EMPTY);
        }
        if (count > 0 && direction == Direction.BACKWARDS) {
            return seek(key().toBytes().successor());
        }
        return step();
    }

    @Override
    public boolean previous() throws BigtableException {
        begun = true;
        if (count > 0 && direction == Direction.FORWARDS) {
            return seekBefore(key().toBytes());
        }
        return step();
    }

    private enum Direction {
        FORWARDS,
        BACKWARDS
    }

    /** A seek of one run. */
    private interface Seek {
        boolean in(Cursor run) throws BigtableException;
    }

    private boolean move(Direction to, Seek seek) throws BigtableException {
        begun = true;
        direction = to;
        count = 0;
        int found = 0;
        for (Cursor run : runs) {
            if (seek.in(run)) {
                heads[found++] = run;
            }
        }
        count = found;
        for (int i = count / 2 - 1; i >= 0; i--) {
            sink(i);
        }
        return count > 0;
    }

    private boolean step() throws BigtableException {
        if (count == 0) {
            return false;
        }
        // Those of the same key first: the key that they are compared with is gone once the head has moved.
        for (int second = second(); second > 0 && isSame(second); second = second()) {
            advance(second);
        }
        advance(0);
        return count > 0;
    }

    @Override
    public Slice key() {
        return head().key();
    }

    @Override
    public Slice value() {
        return head().value();
    }

    private Cursor head() {
        checkState(count > 0, "the cursor stands at no entry");
        return heads[0];
    }

    /** Where the run is that comes second; 0 where there is none. */
    private int second() {
        if (count < 3) {
            return count - 1;
        }
        return comesBefore(2, 1) ? 2 : 1;
    }

    private boolean isSame(int index) {
        return heads[index].key().hasSameBytesAs(heads[0].key());
    }

    private boolean comesBefore(int a, int b) {
        int order = heads[a].key().compareWith(heads[b].key());
        return direction == Direction.FORWARDS ? order < 0 : order > 0;
    }

    private void advance(int index) throws BigtableException {
        if (!(direction == Direction.FORWARDS ? heads[index].next() : heads[index].previous())) {
            heads[index] = heads[--count];
        }
        sink(index);
    }

    private void sink(int from) {
        int parent = from;
        while (2 * parent + 1 < count) {
            int child = 2 * parent + 1;
            if (child + 1 < count && comesBefore(child + 1, child)) {
                child++;
            }
            if (!comesBefore(child, parent)) {
                return;
            }
            Cursor down = heads[parent];
            heads[parent] = heads[child];
            heads[child] = down;
            parent = child;
        }
    }
}
