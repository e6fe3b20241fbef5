package bt.model;

import static bt.base.Check.checkGiven;

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
        checkGiven(!changes.isEmpty(), "a mutation changes something", "add a change");
        Alone.check(row, changes);
    }

    /** Whether what it writes depends on what the row holds. */
    public boolean readsRow() {
        return Alone.isNeeded(changes);
    }

    /** Bytes of the row key, and of the qualifiers and values of all its changes, those that delete too. */
    public long bytes() {
        long bytes = row.length();
        for (Change change : changes) {
            bytes += change.bytes();
        }
        return bytes;
    }

    /** Begins a mutation of the row with this key, of 1 to 65,536 bytes: REJECTED otherwise when it is applied. */
    public static Builder of(Bytes row) {
        return new Builder(row);
    }

    /** The same of the row whose key is the UTF-8 of a text. */
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

        /**
         * Writes a cell at a timestamp: in microseconds since 1970 where the family's timestamps are times, any number
         * but {@link Change#SERVER_TIME}, which asks for the server's, where they are not. A version that is there
         * already at this timestamp is replaced.
         */
        public Builder set(ColumnKey column, long timestamp, Bytes value) {
            return add(new Change.SetCell(column, timestamp, value));
        }

        /**
         * Writes a cell at the server's time, qualifier and value as the UTF-8 of texts ({@code Set} in figure 2 of
         * the paper).
         */
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

        /** Deletes all versions of the column ({@code Delete} in figure 2 of the paper). */
        public Builder deleteColumn(ColumnKey column) {
            return add(new Change.DeleteColumn(column));
        }

        /** Deletes one version of the column, by its timestamp: in microseconds since 1970 where servers give them. */
        public Builder deleteVersion(ColumnKey column, long timestamp) {
            return add(new Change.DeleteVersion(column, timestamp));
        }

        /** Deletes the versions of the column from {@code oldest} to {@code newest}, both included, in the same unit. */
        public Builder deleteVersions(ColumnKey column, long oldest, long newest) {
            return add(new Change.DeleteVersions(column, oldest, newest));
        }

        /** Deletes all cells of the row in the family. */
        public Builder deleteFamily(String family) {
            return add(new Change.DeleteFamily(family));
        }

        /** Deletes all cells of the row, in every family. */
        public Builder deleteRow() {
            return add(new Change.DeleteRow());
        }

        /** Adds any change, behind those before it: they are applied in this order. */
        public Builder add(Change change) {
            changes.add(change);
            return this;
        }

        /**
         * IllegalArgumentException where nothing is changed, or a column of an increment or an append is not that
         * one's alone.
         */
        public RowMutation build() {
            return new RowMutation(row, changes);
        }
    }
}
