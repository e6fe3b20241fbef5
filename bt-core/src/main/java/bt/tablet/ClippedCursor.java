package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.sstable.Cursor;
import java.util.Optional;

/**
 * The rows of a sorted run that lie in a range; of a file whose reference overrides the sequence, with that one for all.
 * Order stays: the keys of such a file all hold sequence 0. One thread.
 */
final class ClippedCursor implements Cursor {
    private final Cursor run;
    private final Bytes first;
    private final Optional<Bytes> end;
    private final Optional<Long> sequence;
    private boolean begun;
    private boolean ended;

    ClippedCursor(Cursor run, RowRange rows, Optional<Long> sequence) {
        this.run = run;
        this.first = rows.start().isEmpty() ? Bytes.EMPTY : CellKey.rowPrefix(rows.start());
        this.end = rows.end().map(CellKey::rowPrefix);
        this.sequence = sequence;
    }

    @Override
    public boolean seek(Bytes atOrAfter) throws BigtableException {
        begun = true;
        ended = !run.seek(atOrAfter.compareTo(first) < 0 ? first : atOrAfter);
        return isInside();
    }

    @Override
    public boolean next() throws BigtableException {
        if (!begun) {
            return seek(first);
        }
        ended = ended || !run.next();
        return isInside();
    }

    private boolean isInside() {
        ended = ended || (end.isPresent() && run.key().compareTo(end.get()) >= 0);
        return !ended;
    }

    @Override
    public Bytes key() {
        return sequence.isEmpty() ? run.key() : CellKey.withSequence(run.key(), sequence.get());
    }

    @Override
    public Bytes value() {
        return run.value();
    }
}
