package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Bytes;
import java.util.List;

/**
 * One of two mutations of a row, chosen by what the row holds: the first when the predicate lets a cell of it pass, the
 * second when it lets none. One of them may change nothing. Choice and change are one: nothing comes in between. An
 * atomic read-modify-write sequence (section 3 of the paper).
 */
public record ConditionalMutation(Bytes row, Filter predicate, List<Change> passes, List<Change> otherwise) {
    public ConditionalMutation {
        passes = List.copyOf(passes);
        otherwise = List.copyOf(otherwise);
        checkGiven(
                !passes.isEmpty() || !otherwise.isEmpty(),
                "a conditional mutation changes something",
                "add a change to one of its branches");
        Alone.check(row, passes);
        Alone.check(row, otherwise);
    }

    /** The mutation if something of its row passes, nothing otherwise. */
    public static ConditionalMutation when(Filter predicate, RowMutation mutation) {
        return new ConditionalMutation(mutation.row(), predicate, mutation.changes(), List.of());
    }

    /** The mutation if nothing of its row passes. */
    public static ConditionalMutation unless(Filter predicate, RowMutation mutation) {
        return new ConditionalMutation(mutation.row(), predicate, List.of(), mutation.changes());
    }

    /** The same with this for when nothing passes. */
    public ConditionalMutation otherwise(RowMutation mutation) {
        checkGiven(
                mutation.row().equals(row),
                "rows %s and %s in one mutation",
                "make both branches of one row",
                row.brief(),
                mutation.row().brief());
        return new ConditionalMutation(row, predicate, passes, mutation.changes());
    }
}
