package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Limits;
import bt.model.TableSchema;
import bt.tablet.Tablet;

/** Behind which row a tablet is to be split. */
sealed interface SplitRow {
    /** REJECTED where the tablet has no such row, or would end with it. */
    Bytes choose(Tablet tablet) throws BigtableException;

    /** Of a tablet that has no such row. */
    RejectedException refusal(Tablet tablet);

    /** One that a user gave: it stays the end of a tablet. */
    record Given(Bytes row) implements SplitRow {
        @Override
        public Bytes choose(Tablet tablet) throws BigtableException {
            if (row.isEmpty() || row.length() > Limits.ROW_BYTES) {
                throw new RejectedException(
                        tablet.subject() + ": a split row of " + row.length() + " bytes",
                        "name one of 1 to " + Limits.ROW_BYTES);
            }
            if (!tablet.canSplitAt(row)) {
                throw refusal(tablet);
            }
            return row;
        }

        @Override
        public RejectedException refusal(Tablet tablet) {
            return new RejectedException(
                    tablet.subject() + " cannot be split at row " + row.brief()
                            + ": it ends there, or begins behind it",
                    "name a row inside of it");
        }
    }

    /** One that halves what the tablet is asked for. */
    record Busy(Bytes row) implements SplitRow {
        @Override
        public Bytes choose(Tablet tablet) throws BigtableException {
            if (!tablet.canSplitAt(row)) {
                throw refusal(tablet);
            }
            return row;
        }

        @Override
        public RejectedException refusal(Tablet tablet) {
            return new RejectedException(
                    tablet.subject() + " has no row " + row.brief() + " to be split at any more",
                    "list the tablets, and name a row of one");
        }
    }

    /** The middle of the bytes, with at least this share of them on each side; {@code none} is told where there is no such row. */
    record Middle(double leastShare, Runnable none) implements SplitRow {
        @Override
        public Bytes choose(Tablet tablet) throws BigtableException {
            return tablet.middleRow(leastShare).orElseThrow(() -> refusal(tablet));
        }

        @Override
        public RejectedException refusal(Tablet tablet) {
            none.run();
            boolean isMetadata = tablet.id().tableId() == TableSchema.METADATA_ID;
            return new RejectedException(
                    tablet.subject() + " has no row to be split at: its "
                            + tablet.sizes().fileBytes()
                            + " bytes are of one row, or of so few that they lie in one block"
                            + (isMetadata ? ", or tell of tablets that are gone" : ""),
                    "name a row");
        }
    }
}
