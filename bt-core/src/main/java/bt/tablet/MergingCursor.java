package bt.tablet;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.sstable.Cursor;
import java.util.Arrays;
import java.util.List;

/** Several sorted runs as one. Of equal keys, which stand for one change, one is shown. One thread. */
final class MergingCursor implements Cursor {
    private List<Cursor> runs = List.of();
    /** The runs that are not at their end: a binary heap, the one that is to come next first. */
    private Cursor[] heads = new Cursor[4];

    private int count;
    /** Of a seek: the runs that have arrived at an entry. */
    private int found;

    private boolean begun;
    private Direction direction = Direction.FORWARDS;

    static Cursor of(List<Cursor> runs) {
        return runs.size() == 1 ? runs.get(0) : new MergingCursor().enter(List.copyOf(runs));
    }

    /** Goes before the first entry of other runs, from wherever it was; they stay as they are until it leaves them. */
    MergingCursor enter(List<Cursor> others) {
        runs = others;
        if (heads.length < others.size()) {
            heads = new Cursor[others.size()];
        }
        Arrays.fill(heads, null);
        count = 0;
        begun = false;
        direction = Direction.FORWARDS;
        return this;
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        begin(Direction.FORWARDS);
        for (int i = 0; i < runs.size(); i++) {
            arrive(runs.get(i), runs.get(i).seek(atOrAfter));
        }
        return begun();
    }

    @Override
    public boolean seekBefore(Bytes before) throws BigtableException {
        begin(Direction.BACKWARDS);
        for (int i = 0; i < runs.size(); i++) {
            arrive(runs.get(i), runs.get(i).seekBefore(before));
        }
        return begun();
    }

    @Override
    public boolean seekToLast() throws BigtableException {
        begin(Direction.BACKWARDS);
        for (int i = 0; i < runs.size(); i++) {
            arrive(runs.get(i), runs.get(i).seekToLast());
        }
        return begun();
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

    private void begin(Direction to) {
        begun = true;
        direction = to;
        count = 0;
        found = 0;
    }

    private void arrive(Cursor run, boolean atEntry) {
        if (atEntry) {
            heads[found++] = run;
        }
    }

    /** Not before all have arrived is it anywhere: one that failed would leave it among the others. */
    private boolean begun() {
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
