package bt.model;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Edits to one row, applied all or not at all (figure 2 of the paper). An increment or an append has its column for itself:
 * no other of the changes is of that column, nor deletes it with its family or row.
 */
public record RowMutation(Bytes row, List<Change> changes) {
    public RowMutation {
        changes = List.copyOf(changes);
        checkArgument(!changes.isEmpty(), "a mutation changes something");
        Alone.check(changes);
    }

    /** Whether what it writes depends on what the row holds. */
    public boolean readsRow() {
        return Alone.isNeeded(changes);
    }

    /** Bytes of the row key, and of the qualifiers and values of the cells that it sets. */
    public long bytes() {
        long bytes = row.length();
        for (Change change : changes) {
            if (change instanceof Change.SetCell set) {
                bytes += set.bytes();
            } else if (change instanceof Change.Append append) {
                bytes += append.value().length();
            }
        }
        return bytes;
    }

    public static Builder of(Bytes row) {
        return new Builder(row);
    }

    public static Builder of(String row) {
        return new Builder(Bytes.utf8(row));
    }

    /** Gathers changes. One thread. */
    public static final class Builder {
        private final Bytes row;
        private final List<Change> changes = new ArrayList<>();

        private Builder(Bytes row) {
            this.row = row;
        }

        /** Writes a cell at the server's time. */
        public Builder set(ColumnKey column, Bytes value) {
            return set(column, Change.SERVER_TIME, value);
        }

        public Builder set(ColumnKey column, long timestamp, Bytes value) {
            return add(new Change.SetCell(column, timestamp, value));
        }

        public Builder set(String family, String qualifier, String value) {
            return set(ColumnKey.of(family, qualifier), Bytes.utf8(value));
        }

        /** Adds to a counter. */
        public Builder increment(ColumnKey column, long amount) {
            return add(new Change.Increment(column, amount));
        }

        /** Writes bytes behind the newest value of the column. */
        public Builder append(ColumnKey column, Bytes value) {
            return add(new Change.Append(column, value));
        }

        public Builder deleteColumn(ColumnKey column) {
            return add(new Change.DeleteColumn(column));
        }

        /** Deletes one version of the column. */
        public Builder deleteVersion(ColumnKey column, long timestamp) {
            return add(new Change.DeleteVersion(column, timestamp));
        }

        /** Deletes the versions of the column from {@code oldest} to {@code newest}, both included. */
        public Builder deleteVersions(ColumnKey column, long oldest, long newest) {
            return add(new Change.DeleteVersions(column, oldest, newest));
        }

        public Builder deleteFamily(String family) {
            return add(new Change.DeleteFamily(family));
        }

        public Builder deleteRow() {
            return add(new Change.DeleteRow());
        }

        public Builder add(Change change) {
            changes.add(change);
            return this;
        }

        public RowMutation build() {
            return new RowMutation(row, changes);
        }
    }
}
