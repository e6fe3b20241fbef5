package bt.tablet;

import static bt.base.BigtableException.Outcome.NOT_APPLIED;

import bt.base.BigtableException;
import bt.base.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Merging and major compactions of one tablet's files. Any thread; whoever hosts the tablet sees to it that no two are at
 * work at a time, and installs what they wrote.
 */
public final class Compactions {
    /**
     * For so long after a load nothing is dropped that is newer than what the load found: who was in the middle of a large
     * row when the tablet moved goes on here.
     */
    private static final long FRESH_MICROS = 300_000_000L;

    private final Tablet tablet;
    private final TabletContext context;
    private final long loadedMicros;
    private final long foundSequence;

    Compactions(Tablet tablet, TabletView found, TabletContext context) {
        this.tablet = tablet;
        this.context = context;
        this.loadedMicros = context.clock().micros();
        this.foundSequence = found.largestSequenceInFiles();
    }

    /** The next one that should be, if any. */
    public Optional<CompactionPlan> plan() {
        return CompactionPicker.pick(situation());
    }

    /** Whether the memtable holds what a family's promise wants in files by now, to be compacted there. */
    public boolean flushIsDue() {
        TabletView view = tablet.view();
        return PurgePromise.isDue(
                view.active().times(), view.schema(), context.clock().micros());
    }

    /** A major compaction of all that is in files: plans that have no file in common. */
    public List<CompactionPlan> planMajor() {
        return CompactionPicker.major(situation());
    }

    CompactionPicker.Situation situation() {
        TabletView view = tablet.view();
        return new CompactionPicker.Situation(
                view.files().stream().map(TabletFile::facts).toList(),
                view.schema(),
                context.clock().micros(),
                horizon());
    }

    /** Up to where anything may be dropped. */
    private long horizon() {
        boolean isFresh = context.clock().micros() - loadedMicros < FRESH_MICROS;
        return isFresh ? foundSequence : tablet.readPoint();
    }

    /**
     * Writes what the plan says. Reads and writes go on, and the result is nobody's until METADATA names it and the tablet
     * has it installed. UNAVAILABLE when the tablet has other files by now.
     */
    public Compacted write(CompactionPlan plan, Pace pace) throws BigtableException, InterruptedException {
        // A read's time is its start, so none that goes on may be older than this.
        return write(plan, horizon(), context.clock().micros() - Tablet.MAX_RESUME_MICROS, pace);
    }

    Compacted write(CompactionPlan plan, long horizon, long nowMicros, Pace pace)
            throws BigtableException, InterruptedException {
        TabletView view = tablet.view();
        List<TabletFile> inputs = new ArrayList<>();
        try {
            for (TabletFile file : view.filesOf(plan.inputs())) {
                if (file.use()) {
                    inputs.add(file);
                }
            }
            if (inputs.size() < plan.inputs().size()) {
                throw new UnavailableException("tablet " + tablet.id() + " has other files by now", NOT_APPLIED);
            }
            boolean mayDeleteVersions = inputs.stream().anyMatch(TabletFile::mayDeleteVersions);
            CompactionScope scope = new CompactionScope(horizon, nowMicros, plan.isMajor(), mayDeleteVersions);
            return MergingCompaction.write(inputs, view.schema(), scope, context, pace);
        } finally {
            inputs.forEach(TabletFile::release);
        }
    }
}
