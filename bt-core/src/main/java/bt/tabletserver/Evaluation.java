package bt.tabletserver;

import bt.base.RejectedException;
import bt.model.RowMutation;
import java.util.OptionalLong;

/** What becomes of a write that depends on its row, if the row is still as it was at this read point of its tablet. */
record Evaluation(Decision decision, long readPoint) {
    /** What is to be done. */
    sealed interface Decision {}

    /** What was asked for is to write this, which depends on nothing any more; answer that, or what any mutation is answered. */
    record Apply(RowMutation asked, RowMutation mutation, OptionalLong answer) implements Decision {}

    /**
     * Change nothing, and answer this. The log is told, as of a write: its client believes by then that nothing happened, and
     * a late copy must not be evaluated anew, by whichever server has the tablet.
     */
    record Leave(long answer) implements Decision {}

    record Refuse(RejectedException why) implements Decision {}
}
