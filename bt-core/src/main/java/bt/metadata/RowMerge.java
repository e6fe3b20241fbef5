package bt.metadata;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.UnavailableException;
import bt.record.Phase;
import bt.record.TabletState;
import java.util.List;

/**
 * Merges two neighbouring tablets that nobody serves, in three mutations: the lower tablet's row says into which it is
 * merged; the upper one takes its files and rows; the lower one is marked gone. The second is the merge: before it nothing
 * has happened, after it the third is left. For the master alone. One thread.
 */
public final class RowMerge {
    private final MetadataTable metadata;

    /** METADATA as the master changes it. */
    public RowMerge(MetadataTable metadata) {
        this.metadata = metadata;
    }

    /** Whether the tablet is nobody's, and all of it is in files that its row names. */
    public static boolean isClean(MetadataRow row) {
        TabletState state = row.state();
        return row.location().getPhase() == Phase.UNASSIGNED
                && !row.gone()
                && state.getLogs().isEmpty()
                && state.getOffline() == null
                && !TabletStates.isHalfDone(state);
    }

    /** The upper row, with the rows of both. REJECTED when one of them has changed since it was read. */
    public MetadataRow merge(MetadataRow lower, MetadataRow upper) throws BigtableException, InterruptedException {
        if (!isClean(lower)
                || !isClean(upper)
                || !upper.previousEndRow().equals(lower.id().endRow())) {
            throw new UnavailableException(
                    lower.id() + " and " + upper.id() + " are not two neighbours that nobody serves");
        }
        MergeIntent intent = new MergeIntent(upper.id(), upper.generation() + 1);
        MetadataRow marked = metadata.replace(
                lower, lower.location(), intent.addedTo(lower.state()), "to be merged into " + upper.id());
        MetadataRow merged = metadata.replace(
                upper,
                upper.location(),
                MergedState.of(lower.state(), upper.state()),
                "took the rows of " + lower.id());
        bury(marked);
        return merged;
    }

    /**
     * Ends a merge that another master, or a failure, left in the middle. First the upper row's generation is raised: a second
     * mutation that is still under way finds it changed. If the upper tablet has the rows the lower one is marked gone, else it
     * is itself again. CORRUPTION when there is no upper row.
     */
    public void settle(MetadataRow lower, MergeIntent intent) throws BigtableException, InterruptedException {
        MetadataRow upper = metadata.read(intent.upper())
                .orElseThrow(() -> new CorruptionException("METADATA row " + lower.id() + ": it is to be merged into "
                        + intent.upper() + ", which has no row: nobody loads it"));
        if (!upper.previousEndRow().equals(lower.previousEndRow())) {
            MetadataRow raised =
                    metadata.replace(upper, upper.location(), upper.state(), "does not take the rows of " + lower.id());
            if (raised.previousEndRow().equals(lower.id().endRow())) {
                metadata.replace(lower, lower.location(), MergeIntent.removedFrom(lower.state()), "not merged");
                return;
            }
        }
        bury(lower);
    }

    /** Its files are the upper tablet's. The row stays, so that nothing that is late can revive it. */
    private void bury(MetadataRow lower) throws BigtableException, InterruptedException {
        TabletState gone = TabletState.newBuilder(lower.state())
                .setFiles(List.of())
                .setIntents(List.of())
                .setGone(true)
                .build();
        metadata.replace(lower, TabletStates.unassigned(), gone, "gone: merged");
    }
}
