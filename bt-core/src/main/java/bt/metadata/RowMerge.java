package bt.metadata;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.RowRange;
import bt.record.Phase;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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
                "took the rows of " + lower.id().inWords());
        bury(marked);
        return merged;
    }

    /**
     * Ends a merge that another master, or a failure, left in the middle. First the upper row's generation is raised: a second
     * mutation that is still under way finds it changed. If the lower tablet's rows are another's by now it is marked gone, else it
     * is itself again. CORRUPTION when there is no upper row, REJECTED when what is there is just being changed: settle again.
     */
    public void settle(MetadataRow lower, MergeIntent intent) throws BigtableException, InterruptedException {
        MetadataRow upper = metadata.read(intent.upper())
                .orElseThrow(() -> new CorruptionException("METADATA row " + lower.id() + ": it is to be merged into "
                        + intent.upper() + ", which has no row: nobody loads it"));
        if (!upper.previousEndRow().equals(lower.previousEndRow())) {
            // What cannot be told must not raise it again and again.
            boolean unused = isTaken(lower, upper);
            MetadataRow raised =
                    metadata.replace(upper, upper.location(), upper.state(), "does not take the rows of " + lower.id());
            if (!isTaken(lower, raised)) {
                metadata.replace(lower, lower.location(), MergeIntent.removedFrom(lower.state()), "not merged");
                return;
            }
        }
        bury(lower);
    }

    /**
     * Whether somebody has the lower tablet's rows. The upper one alone cannot tell: while the lower row could not be read it may have
     * been served, and split since. So what tells is where the tablet begins that has the next row behind the lower one's.
     */
    private boolean isTaken(MetadataRow lower, MetadataRow upper) throws BigtableException, InterruptedException {
        Bytes end = lower.id().endRow().orElseThrow();
        Optional<Bytes> begin = next(lower, upper).previousEndRow();
        if (begin.isPresent() && begin.get().compareTo(end) > 0) {
            throw new RejectedException(
                    lower.id() + " was to be merged into " + upper.id() + ", which is being split",
                    "look again when that is done, which shows whose its rows are");
        }
        return !begin.equals(Optional.of(end));
    }

    /** The first tablet behind the lower one: the upper one, or of those that were split from it the lowest. */
    private MetadataRow next(MetadataRow lower, MetadataRow upper) throws BigtableException, InterruptedException {
        RowRange between = RowRange.of(
                MetadataKeys.of(lower.id()).successor(),
                MetadataKeys.of(upper.id()).successor());
        MetadataTable.ReadableRows found = metadata.scanReadable(between);
        if (!found.damage().isEmpty()) {
            throw found.damage().get(0).why();
        }
        List<MetadataRow> tablets = new ArrayList<>(List.of(upper));
        tablets.addAll(found.rows());
        for (MetadataRow row : found.rows()) {
            SplitIntent.of(row).forEach(split -> tablets.add(split.lower()));
        }
        return tablets.stream().min(Comparator.comparing(MetadataRow::id)).orElseThrow();
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
