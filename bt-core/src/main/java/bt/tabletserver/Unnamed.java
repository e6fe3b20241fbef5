package bt.tabletserver;

import bt.record.TabletState;
import bt.tablet.Compacted;
import java.util.function.UnaryOperator;

/**
 * What a compaction has written, until METADATA names it, by the change of the tablet's row that belongs to it, or never will. Once
 * METADATA was asked to, an answer that does not come leaves it open whether it has: then it is neither written again nor left to
 * the sweep of garbage, but named again. Of one tablet, whose jobs alone use it.
 */
final class Unnamed {
    private final Compacted compacted;
    private final UnaryOperator<TabletState> change;
    private final String event;
    private boolean asked;
    private boolean settled;

    /** Changing the state twice must be changing it once. */
    Unnamed(Compacted compacted, UnaryOperator<TabletState> change, String event) {
        this.compacted = compacted;
        this.change = change;
        this.event = event;
    }

    Compacted compacted() {
        return compacted;
    }

    UnaryOperator<TabletState> change() {
        return change;
    }

    String event() {
        return event;
    }

    /** METADATA is asked to name it. */
    void ask() {
        asked = true;
    }

    /** It is named, or certainly never will be. */
    void settle() {
        settled = true;
    }

    boolean isSettled() {
        return settled;
    }

    /** Whether METADATA was asked, and has not said what became of it. */
    boolean isInDoubt() {
        return asked && !settled;
    }
}
