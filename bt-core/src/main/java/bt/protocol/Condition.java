package bt.protocol;

import static bt.base.Check.checkArgument;
import static bt.base.Check.checkGiven;

import bt.base.Bytes;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Filter;
import java.util.List;
import java.util.Optional;

/** What decides whether a write happens. It is looked at, and the write applied, with nothing of the row in between. */
public sealed interface Condition {
    Kind kind();

    /** For a {@code switch} that must name them all; the numbers are on the wire, 0 being no condition. */
    enum Kind {
        NEWEST(1),
        PASSES(2),
        SHOWS(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    /** A write whose column's newest value is another, or, where none is named, which has a value, is REJECTED. */
    static Condition newest(ColumnKey column, Optional<Bytes> value) {
        return new Newest(column, value);
    }

    /** REJECTED unless the column's newest value is this one; empty: unless the column has no value. */
    record Newest(ColumnKey column, Optional<Bytes> value) implements Condition {
        @Override
        public Kind kind() {
            return Kind.NEWEST;
        }
    }

    /**
     * If it is {@code wanted} that the filter lets a cell of the row pass, and it does, or the other way round; otherwise these
     * changes, which may be none. The write is answered 1 where something passed, 0 where nothing did.
     */
    record Passes(Filter filter, boolean wanted, List<Change> otherwise) implements Condition {
        public Passes {
            otherwise = List.copyOf(otherwise);
        }

        @Override
        public Kind kind() {
            return Kind.PASSES;
        }
    }

    /** If the row still shows all of this, and the write is answered 1; nothing otherwise, and it is answered 0. */
    record Shows(List<Seen> seen) implements Condition {
        /** More look-ups at one row than a transaction has a reason for. */
        public static final int MAX_SEEN = 100;

        public Shows {
            seen = List.copyOf(seen);
            checkReads(seen.size());
        }

        /** IllegalArgumentException beyond {@link #MAX_SEEN}. */
        static void checkReads(int count) {
            checkGiven(
                    count <= MAX_SEEN,
                    "%d reads in a transaction, more than %d",
                    "read more with each",
                    count,
                    MAX_SEEN);
        }

        @Override
        public Kind kind() {
            return Kind.SHOWS;
        }
    }

    /** What a filter let pass of the row, as a {@link RowDigest}. */
    record Seen(Filter filter, Bytes digest) {
        public Seen {
            checkArgument(digest.length() == RowDigest.BYTES, "a digest of %d bytes", digest.length());
        }
    }
}
