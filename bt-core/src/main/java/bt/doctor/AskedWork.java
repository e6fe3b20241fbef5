package bt.doctor;

import bt.model.RowRange;
import bt.model.TabletId;
import java.util.Optional;

/**
 * Work on the tablets of a table that somebody has asked for: its file in the lock service, what it is and on which rows,
 * when, and where it is still to be done.
 */
record AskedWork(String file, String work, String table, RowRange rows, Times times, Undone undone) implements Facts {
    /**
     * Wall clocks, microseconds: when its file was written, when that was or a row of a tablet was changed last, when both were
     * looked at.
     */
    record Times(long writtenMicros, long movedMicros, long nowMicros) {}

    /** In how many places it is still to be done, and one of these, of which a server says why it could not be if any does. */
    record Undone(int places, Optional<Left> one) {
        static final Undone NOTHING = new Undone(0, Optional.empty());

        Undone with(Left more) {
            boolean first = one.isEmpty() || (one.get().failure.isEmpty() && more.failure.isPresent());
            return new Undone(places + 1, first ? Optional.of(more) : one);
        }
    }

    /** Rows in which it is still to be done; a tablet where they are one's; why it could not be when it was tried last. */
    record Left(Optional<TabletId> tablet, RowRange rows, Optional<String> failure) {}

    @Override
    public String version() {
        return times.movedMicros + " " + undone.places;
    }
}
