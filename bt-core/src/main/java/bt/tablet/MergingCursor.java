package bt.tablet;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.sstable.Cursor;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Several sorted runs as one. Of equal keys, which stand for one change, one is shown. One thread. */
final class MergingCursor implements Cursor {
    private final List<Cursor> runs;
    /** The runs that are not at their end, the one with the lowest key first. */
    private final PriorityQueue<Cursor> heads;

    private boolean begun;

    MergingCursor(List<Cursor> runs) {
        this.runs = runs;
        this.heads = new PriorityQueue<>(Math.max(1, runs.size()), Comparator.comparing(Cursor::key));
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        begun = true;
        heads.clear();
        for (Cursor run : runs) {
            if (run.seek(atOrAfter)) {
                heads.add(run);
            }
        }
        return !heads.isEmpty();
    }

    @Override
    public boolean next() throws BigtableException {
        if (!begun) {
            return seek(Bytes.EMPTY);
        }
        if (heads.isEmpty()) {
            return false;
        }
        Bytes left = heads.element().key();
        do {
            // Out before it moves: the queue never holds a cursor whose key has changed.
            Cursor head = heads.remove();
            if (head.next()) {
                heads.add(head);
            }
        } while (!heads.isEmpty() && heads.element().key().equals(left));
        return !heads.isEmpty();
    }

    @Override
    public Bytes key() {
        return head().key();
    }

    @Override
    public Bytes value() {
        return head().value();
    }

    private Cursor head() {
        checkState(!heads.isEmpty(), "the cursor stands at no entry");
        return heads.element();
    }
}
