package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Bytes;
import java.util.Optional;

/**
 * One edit inside a {@link RowMutation} (section 2 of the paper). A deletion hides what was written before it, never what is
 * written after. Timestamps are in microseconds since 1970, unless the application chose its own.
 */
public sealed interface Change {
    /** The timestamp that asks the server for its own clock's. */
    long SERVER_TIME = Long.MIN_VALUE;

    /** Which one it is, for a {@code switch}. */
    Kind kind();

    /** The column whose newest value it changes, if what it writes depends on that. */
    default Optional<ColumnKey> changed() {
        return switch (kind()) {
            case INCREMENT -> Optional.of(((Increment) this).column());
            case APPEND -> Optional.of(((Append) this).column());
            case SET_CELL, DELETE_ROW, DELETE_FAMILY, DELETE_COLUMN, DELETE_VERSIONS, DELETE_VERSION ->
                Optional.empty();
        };
    }

    /** Of the column that it names; empty where it names none. */
    default Bytes qualifier() {
        return switch (kind()) {
            case SET_CELL -> ((SetCell) this).column().qualifier();
            case DELETE_ROW, DELETE_FAMILY -> Bytes.EMPTY;
            case DELETE_COLUMN -> ((DeleteColumn) this).column().qualifier();
            case DELETE_VERSIONS -> ((DeleteVersions) this).column().qualifier();
            case DELETE_VERSION -> ((DeleteVersion) this).column().qualifier();
            case INCREMENT -> ((Increment) this).column().qualifier();
            case APPEND -> ((Append) this).column().qualifier();
        };
    }

    /** Bytes of its qualifier, and of the value that it writes or appends. */
    default long bytes() {
        return qualifier().length();
    }

    /** For a {@code switch} that must name them all; the numbers are on the wire. */
    enum Kind {
        SET_CELL(1),
        DELETE_ROW(2),
        DELETE_FAMILY(3),
        DELETE_COLUMN(4),
        DELETE_VERSIONS(5),
        DELETE_VERSION(6),
        INCREMENT(7),
        APPEND(8);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** As it is on the wire. */
        public int number() {
            return number;
        }
    }

    /** Writes one cell. */
    record SetCell(ColumnKey column, long timestamp, Bytes value) implements Change {
        @Override
        public long bytes() {
            return (long) column.qualifier().length() + value.length();
        }

        @Override
        public Kind kind() {
            return Kind.SET_CELL;
        }
    }

    /** Hides every cell of the row. */
    record DeleteRow() implements Change {
        @Override
        public Kind kind() {
            return Kind.DELETE_ROW;
        }
    }

    /** Hides every cell of the row's family. */
    record DeleteFamily(String family) implements Change {
        @Override
        public Kind kind() {
            return Kind.DELETE_FAMILY;
        }
    }

    /** Hides every cell of the column. */
    record DeleteColumn(ColumnKey column) implements Change {
        @Override
        public Kind kind() {
            return Kind.DELETE_COLUMN;
        }
    }

    /** Hides the versions of the column from {@code oldest} to {@code newest}, both included. */
    record DeleteVersions(ColumnKey column, long oldest, long newest) implements Change {
        public DeleteVersions {
            checkGiven(oldest <= newest, "versions from %d to %d", "name the older one first", oldest, newest);
        }

        @Override
        public Kind kind() {
            return Kind.DELETE_VERSIONS;
        }
    }

    /** Hides one version of the column. */
    record DeleteVersion(ColumnKey column, long timestamp) implements Change {
        @Override
        public Kind kind() {
            return Kind.DELETE_VERSION;
        }
    }

    /**
     * Adds to a counter: the column's newest value is read as a {@link Counter}, none as 0, and the sum is written at the
     * server's time, or one behind the newest version where that is later. REJECTED when the value is no counter, or the
     * sum none.
     */
    record Increment(ColumnKey column, long amount) implements Change {
        @Override
        public Kind kind() {
            return Kind.INCREMENT;
        }
    }

    /** Writes the column's newest value, none being empty, with these bytes behind it, at the time that an increment has. */
    record Append(ColumnKey column, Bytes value) implements Change {
        @Override
        public long bytes() {
            return (long) column.qualifier().length() + value.length();
        }

        @Override
        public Kind kind() {
            return Kind.APPEND;
        }
    }
}
