package bt.tablet;

import static bt.base.BigtableException.Outcome.NOT_APPLIED;

import bt.base.BigtableException;
import bt.base.UnavailableException;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.record.FileReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Merging and major compactions of one tablet's files. Any thread; whoever hosts the tablet sees to it that no two are at
 * work at a time, and installs what they wrote.
 */
public final class Compactions {
    /** Over a while flushes that take files along read about as much of those as of memtables. */
    private static final int READ_OF_MEMTABLE = 2;

    /**
     * For so long after a load nothing is dropped that is newer than what the load found: who was in the middle of a large
     * row when the tablet moved goes on here.
     */
    private static final long FRESH_NANOS = 300_000_000_000L;

    /**
     * A memtable stays in memory while it is written: files of so many memtables' size are compacted with it, and larger
     * ones afterwards.
     */
    private static final int FLUSHES_AT_ONCE = 4;

    private static final int MANY_RUNS = 2 * CompactionPicker.MAX_RUNS;
    private static final int TOO_MANY_RUNS = 2 * MANY_RUNS;

    private final Tablet tablet;
    private final TabletContext context;
    private final long loadedNanos;
    private final AtomicLong horizon;
    private final FailedPlans failed = new FailedPlans();
    private volatile int mostRuns;

    Compactions(Tablet tablet, TabletView found, TabletContext context) {
        this.tablet = tablet;
        this.context = context;
        this.loadedNanos = context.clock().nanos();
        this.horizon = new AtomicLong(Math.max(found.largestSequenceInFiles(), found.oldestReadable()));
    }

    /** The next one that should be, if any. */
    public Optional<CompactionPlan> plan() {
        return CompactionPicker.pick(situation(), this::isWorthATry);
    }

    /** Not one that has just failed: a damaged file must not keep others from being merged. */
    private boolean isWorthATry(CompactionPlan plan) {
        return !failed.rests(plan, context.clock().nanos());
    }

    /** The plan could not be carried out: it rests for a while, a longer one each time. */
    public void fail(CompactionPlan plan) {
        failed.add(plan, context.clock().nanos());
        failed.retain(tablet.files());
    }

    /** For how many nanoseconds the plan rests still that could not be carried out last; 0: it does not. */
    public long restNanos() {
        return failed.leftOfLastNanos(context.clock().nanos());
    }

    /** The tablet has other files, or another schema. Whoever has just made it so. */
    void look(TabletView view) {
        List<FileFacts> files = view.files().stream().map(TabletFile::facts).toList();
        failed.retain(files.stream().map(FileFacts::reference).toList());
        mostRuns = files.size() <= MANY_RUNS
                ? files.size()
                : CompactionPicker.clusters(files, view.schema()).stream()
                        .mapToInt(cluster -> CompactionPicker.runs(cluster).size())
                        .max()
                        .orElse(0);
    }

    /**
     * Whether merging should wait for nothing else any more: a read looks at every run of a group, and were it throttled
     * still, memtables could come faster than files are merged for as long as somebody writes.
     */
    public boolean areBehind() {
        return mostRuns > MANY_RUNS;
    }

    /**
     * Whether even unthrottled merging does not keep up with those who write: without a bound, reads would grow ever slower.
     * Not while files are there that could not be compacted: to wait for those might be to wait for ever.
     */
    public boolean areFarBehind() {
        return mostRuns > TOO_MANY_RUNS && failed.isEmpty();
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

    /** One major compaction of all that is in files, if anything is. Whoever asks keeps apart how long it rests after a failure. */
    public Optional<CompactionPlan> planAll() {
        List<FileReference> files =
                situation().files().stream().map(FileFacts::reference).toList();
        return files.isEmpty()
                ? Optional.empty()
                : Optional.of(new CompactionPlan(files, true, CompactionPlan.Reason.ASKED));
    }

    /** Whether what somebody asks for has to wait: it may make more files of what is there, for which the server has no memory. */
    public boolean mustWait(CompactionPlan asked) {
        return isPressed()
                && FewerFiles.becomeMore(asked.inputs(), tablet.view().schema());
    }

    CompactionPicker.Situation situation() {
        TabletView view = tablet.view();
        return new CompactionPicker.Situation(
                view.files().stream().map(TabletFile::facts).toList(),
                view.schema(),
                context.clock().micros(),
                horizon(),
                isPressed());
    }

    /** METADATA's tablets have room always, and are few. */
    private boolean isPressed() {
        return tablet.id().tableId() != TableSchema.METADATA_ID
                && context.isPressed().getAsBoolean();
    }

    /**
     * Up to where anything may be dropped. It never falls: what one compaction has made a ghost of, because of a deletion,
     * the next one must not find without that deletion.
     */
    private long horizon() {
        boolean isFresh = context.clock().nanos() - loadedNanos < FRESH_NANOS;
        return isFresh ? horizon.get() : horizon.accumulateAndGet(tablet.readPoint(), Math::max);
    }

    /**
     * Writes what the plan says. Reads and writes go on, and the result is nobody's until METADATA names it and the tablet
     * has it installed. UNAVAILABLE when the tablet has other files by now.
     */
    public Compacted write(CompactionPlan plan, Pace pace) throws BigtableException, InterruptedException {
        return write(plan, Optional.empty(), scope(), pace);
    }

    Compacted write(CompactionPlan plan, long horizon, long nowMicros, Pace pace)
            throws BigtableException, InterruptedException {
        return write(plan, Optional.empty(), new CompactionScope(horizon, nowMicros, false, true), pace);
    }

    /**
     * Writes the oldest frozen memtable to files, in one with those that would be merged with its files next, if they are
     * not large: a merging compaction then, or a major one, and no file is written to be merged at once. Where none would,
     * a minor compaction. The result is nobody's, as above. The pace is that of memtables.
     */
    public Compacted flush(Frozen frozen, Pace pace) throws BigtableException, InterruptedException {
        Frozen grouped = grouped(frozen);
        return flush(grouped, plansWith(grouped), scope(), pace);
    }

    /** With the groups that it becomes files of: where memory is short no more than it was counted for. */
    Frozen grouped(Frozen frozen) {
        TabletView view = tablet.view();
        Frozen joined = isPressed() ? frozen.joined(view.files()) : frozen;
        // One that is closed shows no files, whatever METADATA names.
        return tablet.isClosed() ? joined : joined.beside(view.files(), view.frozen());
    }

    /** A minor compaction of a frozen memtable. The result is nobody's, as above. */
    public Compacted writeAlone(Frozen frozen, Pace pace) throws BigtableException, InterruptedException {
        return Compacted.written(MinorCompaction.write(grouped(frozen), context, pace));
    }

    /** The plans have the memtable among their inputs, and no group in common. */
    Compacted flush(Frozen frozen, List<CompactionPlan> plans, CompactionScope scope, Pace pace)
            throws BigtableException, InterruptedException {
        List<FileReference> replaced = new ArrayList<>();
        List<FileReference> written = new ArrayList<>();
        List<LocalityGroup> rest = new ArrayList<>(frozen.groups());
        long oldestReadable = 0;
        boolean done = false;
        try {
            for (CompactionPlan plan : plans) {
                Compacted merged = merge(plan, frozen, scope, bytes -> pace.spend(bytes / READ_OF_MEMTABLE));
                replaced.addAll(merged.replaced());
                written.addAll(merged.written());
                oldestReadable = Math.max(oldestReadable, merged.oldestReadable());
                rest.removeAll(CompactionInputs.groups(plan.inputs(), frozen.schema()));
            }
            written.addAll(MinorCompaction.write(frozen, rest, context, pace));
            done = true;
            return new Compacted(replaced, written, oldestReadable);
        } finally {
            if (!done) {
                context.names().settle(written);
            }
        }
    }

    private Compacted merge(CompactionPlan plan, Frozen frozen, CompactionScope scope, Pace pace)
            throws BigtableException, InterruptedException {
        try {
            return write(plan, Optional.of(frozen), scope, pace);
        } catch (BigtableException failure) {
            fail(plan);
            throw failure;
        }
    }

    private List<CompactionPlan> plansWith(Frozen frozen) {
        TabletView view = tablet.view();
        if (view.schema().version() != frozen.schema().version()) {
            return List.of();
        }
        CompactionPicker.Situation situation = situationWith(frozen);
        return CompactionPicker.picks(situation).stream()
                .filter(plan -> plan.inputs().stream().anyMatch(MemtableFiles::isOne))
                .filter(plan -> bytesInFiles(plan) <= context.config().flushBytes() * FLUSHES_AT_ONCE)
                .filter(this::isWorthATry)
                .toList();
    }

    CompactionPicker.Situation situationWith(Frozen frozen) {
        CompactionPicker.Situation files = situation();
        List<FileFacts> all = new ArrayList<>(files.files());
        all.addAll(MemtableFiles.of(frozen, tablet.view().files()));
        return new CompactionPicker.Situation(
                all, frozen.schema(), files.nowMicros(), files.horizon(), files.isPressed());
    }

    private static long bytesInFiles(CompactionPlan plan) {
        return plan.inputs().stream()
                .filter(file -> !MemtableFiles.isOne(file))
                .mapToLong(FileReference::getBytes)
                .sum();
    }

    /** Of a compaction that begins now. A read's time is its start, so none that goes on may be older than this. */
    private CompactionScope scope() {
        return new CompactionScope(horizon(), context.clock().micros() - TabletReads.MAX_RESUME_MICROS, false, true);
    }

    private Compacted write(CompactionPlan plan, Optional<Frozen> memtable, CompactionScope scope, Pace pace)
            throws BigtableException, InterruptedException {
        TabletView view = tablet.view();
        List<FileReference> wanted = plan.inputs().stream()
                .filter(file -> !MemtableFiles.isOne(file))
                .toList();
        List<TabletFile> files = new ArrayList<>();
        try {
            for (TabletFile file : view.filesOf(wanted)) {
                if (file.use()) {
                    files.add(file);
                }
            }
            if (files.size() < wanted.size()) {
                throw new UnavailableException(tablet.subject() + " has other files by now", NOT_APPLIED);
            }
            TableSchema schema = memtable.map(Frozen::schema).orElse(view.schema());
            TableSchema grouped = isPressed() ? FewerFiles.grouping(plan.inputs(), schema) : schema;
            CompactionInputs inputs = CompactionInputs.of(files, memtable, plan.inputs(), grouped);
            CompactionScope judged =
                    new CompactionScope(scope.horizon(), scope.nowMicros(), plan.isMajor(), inputs.mayDeleteVersions());
            return MergingCompaction.write(inputs, judged, context, pace);
        } finally {
            files.forEach(TabletFile::release);
        }
    }
}
