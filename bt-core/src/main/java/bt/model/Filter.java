package bt.model;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import java.util.List;

/**
 * What a read wants of the cells in its range, evaluated in the tablet server. A filter sees the cells of one row, in
 * order, deletions and garbage-collection rules already applied.
 */
public sealed interface Filter {
    Filter ALL = new All();

    Kind kind();

    /** For a {@code switch} that must name them all; the numbers are on the wire. */
    enum Kind {
        ALL(1),
        FAMILIES(2),
        COLUMNS(3),
        LATEST(4),
        TIMES(5),
        SCRIPT(6),
        CHAIN(7);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    /** Lets every cell pass. */
    record All() implements Filter {
        @Override
        public Kind kind() {
            return Kind.ALL;
        }
    }

    /** Only these families; the others are not even read. */
    record Families(List<String> names) implements Filter {
        public Families {
            names = List.copyOf(names);
        }

        @Override
        public Kind kind() {
            return Kind.FAMILIES;
        }
    }

    /** Only these columns. */
    record Columns(List<ColumnKey> columns) implements Filter {
        public Columns {
            columns = List.copyOf(columns);
        }

        @Override
        public Kind kind() {
            return Kind.COLUMNS;
        }
    }

    /** The newest {@code count} cells of each column. */
    record Latest(int count) implements Filter {
        public Latest {
            checkArgument(count > 0, "the latest %d versions", count);
        }

        @Override
        public Kind kind() {
            return Kind.LATEST;
        }
    }

    /** Timestamps from {@code oldest}, included, to {@code newest}, excluded. */
    record Times(long oldest, long newest) implements Filter {
        @Override
        public Kind kind() {
            return Kind.TIMES;
        }
    }

    /** Cells that a script keeps; {@code engine} names the language, as in {@code groovy}. */
    record Script(String engine, String source, Bytes argument) implements Filter {
        @Override
        public Kind kind() {
            return Kind.SCRIPT;
        }
    }

    /** Each filter sees what the one before it let pass. */
    record Chain(List<Filter> filters) implements Filter {
        public Chain {
            filters = List.copyOf(filters);
        }

        @Override
        public Kind kind() {
            return Kind.CHAIN;
        }
    }
}
