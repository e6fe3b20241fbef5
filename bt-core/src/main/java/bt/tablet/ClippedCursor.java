package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.sstable.Cursor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a sorted run that lie in a range; of a file whose reference overrides the sequence, with that one for all.
 * Order stays: the keys of such a file all hold sequence 0. One thread.
 */
final class ClippedCursor implements Cursor {
    private final Cursor run;
    private final Bytes first;
    private final Optional<Bytes> end;
    private final Optional<Long> sequence;
    private @Nullable Overridden key;
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
        boolean inside = isInside();
        // The run has sequence 0, which sorts behind every other: it may have gone too far to the left.
        while (inside && sequence.isPresent() && key().compareWith(atOrAfter) < 0) {
            inside = next();
        }
        return inside;
    }

    @Override
    public boolean seekBefore(Bytes before) throws BigtableException {
        begun = true;
        Bytes bound = end.isPresent() && end.get().compareTo(before) < 0 ? end.get() : before;
        ended = !(sequence.isPresent() ? stepBefore(bound) : run.seekBefore(bound));
        return isBehindFirst();
    }

    /** Of keys with another sequence: those that the run has are above what is shown of them. */
    private boolean stepBefore(Bytes bound) throws BigtableException {
        boolean found = run.seek(bound);
        while (found && key().compareWith(bound) < 0) {
            found = run.next();
        }
        return found ? run.previous() : run.seekToLast();
    }

    @Override
    public boolean seekToLast() throws BigtableException {
        begun = true;
        ended = !(end.isPresent() ? run.seekBefore(end.get()) : run.seekToLast());
        return isBehindFirst();
    }

    @Override
    public boolean next() throws BigtableException {
        if (!begun) {
            return seek(first);
        }
        ended = ended || !run.next();
        return isInside();
    }

    @Override
    public boolean previous() throws BigtableException {
        ended = ended || !begun || !run.previous();
        begun = true;
        return isBehindFirst();
    }

    private boolean isInside() {
        ended = ended || (end.isPresent() && run.key().compareWith(end.get()) >= 0);
        return !ended;
    }

    private boolean isBehindFirst() {
        ended = ended || run.key().compareWith(first) < 0;
        return !ended;
    }

    @Override
    public Slice key() {
        if (sequence.isEmpty()) {
            return run.key();
        }
        Overridden shown = key;
        if (shown == null) {
            shown = new Overridden(new Output(), new Slice());
            key = shown;
        }
        CellKey.withSequence(run.key(), sequence.get(), shown.bytes);
        shown.slice.moveTo(shown.bytes.array(), 0, shown.bytes.size());
        return shown.slice;
    }

    @Override
    public Slice value() {
        return run.value();
    }

    /** The key with the reference's sequence. */
    private record Overridden(Output bytes, Slice slice) {}
}
