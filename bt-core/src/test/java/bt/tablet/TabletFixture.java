package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileStore;
import bt.model.Bloom;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.TabletState;
import bt.script.ScriptEngine;
import bt.sstable.CacheSizes;
import bt.testing.AtOnce;
import bt.testing.ManualClock;
import bt.testing.MemoryFileStore;
import bt.testing.TabletModel;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * A tablet with what a server has around it, made small: a counter of sequences, a log that is a list, METADATA that is one
 * {@link TabletState}. Beside it the model that knows what the tablet has to answer.
 */
final class TabletFixture {
    private static final CacheSizes CACHES = new CacheSizes(1 << 20, 1 << 20, 1 << 20);
    final ManualClock clock = new ManualClock(RandomTable.EPOCH);
    private final MemoryFileStore store =
            new MemoryFileStore(clock, (process, operation, path) -> beforeFileOperation());
    FileStore files = store.process("server");
    TableSchema schema;
    final TabletModel model;
    TabletId id;
    final TabletState state;
    final TabletConfig config;
    private final List<ScriptEngine> engines;
    private final List<Logged> log = new ArrayList<>();
    private final Deque<Frozen> frozen = new ArrayDeque<>();
    TabletContext context;
    Tablet tablet;

    /** Whether the server's tablets take more of its memory than their share. */
    boolean isPressed;

    private long epoch;
    private long sequence;
    private long horizon;
    private long highestServerTimestamp;

    /** File operations until the process crashes; none when negative. */
    private int operationsLeft = -1;

    /** Of a table "web" with one family "f", of which all versions are kept, compressed. */
    static TabletFixture ofOneFamily() throws BigtableException {
        return new TabletFixture(new TableSchema(
                4,
                "web",
                1,
                3,
                TableSchema.Durability.SYNC,
                List.of(new FamilySchema(1, "f", "g", GcRule.KEEP_ALL)),
                List.of(new LocalityGroup("g", 64 << 10, "zstd", false, Bloom.ROW))));
    }

    TabletFixture(TableSchema schema) throws BigtableException {
        this(schema, TabletConfig.DEFAULT, List.of(), Optional.empty(), Optional.empty());
    }

    TabletFixture(TableSchema schema, TabletConfig config, List<ScriptEngine> engines) throws BigtableException {
        this(schema, config, engines, Optional.empty(), Optional.empty());
    }

    TabletFixture(TableSchema schema, Optional<Bytes> previousEndRow, Optional<Bytes> endRow) throws BigtableException {
        this(schema, TabletConfig.DEFAULT, List.of(), previousEndRow, endRow);
    }

    private TabletFixture(
            TableSchema schema,
            TabletConfig config,
            List<ScriptEngine> engines,
            Optional<Bytes> previousEndRow,
            Optional<Bytes> endRow)
            throws BigtableException {
        this.schema = schema;
        this.engines = engines;
        this.config = config;
        this.model = new TabletModel(schema);
        this.id = new TabletId(schema.id(), endRow);
        this.state = TabletState.newBuilder()
                .setPreviousEndRow(previousEndRow
                        .map(row -> ByteBuffer.wrap(row.toArray()))
                        .orElse(null))
                .setFiles(new ArrayList<>())
                .setLogs(List.of())
                .setIntents(List.of())
                .setBulkLoads(List.of())
                .build();
        this.context = newContext();
        this.tablet = Tablet.open(id, schema, state, context);
    }

    private record Logged(Bytes row, long firstSequence, long timestamp, Bytes body) {}

    private TabletContext newContext() {
        epoch++;
        return new TabletContext(
                files,
                TabletCaches.of(CACHES, CACHES),
                clock,
                new FileNames(epoch),
                config,
                new Scripts(engines, config.compiledScripts()),
                () -> isPressed);
    }

    /** Writes, and publishes what was written. */
    void apply(RowMutation mutation) throws BigtableException {
        long timestamp = tablet.nextServerTimestamp(clock.micros());
        if (timestamp <= highestServerTimestamp) {
            throw new AssertionError(timestamp + " was given before");
        }
        ResolvedMutation resolved = Resolver.resolve(mutation, schema, sequence + 1, timestamp);
        highestServerTimestamp = Math.max(highestServerTimestamp, resolved.timestamp());
        log.add(new Logged(resolved.row(), resolved.firstSequence(), resolved.timestamp(), resolved.encodeBody()));
        tablet.apply(resolved);
        model.apply(mutation, resolved.firstSequence(), timestamp);
        sequence = resolved.lastSequence();
        tablet.publish(sequence);
    }

    long sequence() {
        return sequence;
    }

    void freeze() {
        tablet.freeze().ifPresent(frozen::add);
    }

    /** The minor compaction of the memtable that was frozen first, if one was. */
    void compact() throws BigtableException {
        if (!frozen.isEmpty()) {
            install(AtOnce.write(tablet, frozen.element()));
        }
    }

    /** The same as a server does it: in one with the files that would be merged next. */
    void compactWithFiles() throws BigtableException, InterruptedException {
        if (!frozen.isEmpty()) {
            install(tablet.compactions().flush(frozen.element(), Pace.AT_ONCE));
        }
    }

    /** The same with a random stretch of the newest runs of some sets of files that share families. */
    void compactWithFiles(RandomGenerator random) throws BigtableException, InterruptedException {
        if (!frozen.isEmpty()) {
            Frozen oldest = tablet.compactions().grouped(frozen.element());
            List<CompactionPlan> plans = new ArrayList<>();
            if (oldest.schema().version() == schema.version()) {
                CompactionPicker.Situation situation = tablet.compactions().situationWith(oldest);
                for (List<FileFacts> cluster : CompactionPicker.clusters(situation)) {
                    List<List<FileFacts>> runs = CompactionPicker.runs(cluster);
                    int from = random.nextInt(runs.size());
                    CompactionPlan plan = CompactionPicker.plan(runs, from, runs.size(), CompactionPlan.Reason.ASKED);
                    if (random.nextInt(4) > 0 && plan.inputs().stream().anyMatch(MemtableFiles::isOne)) {
                        plans.add(plan);
                    }
                }
            }
            CompactionScope scope = new CompactionScope(nextHorizon(random), RandomTable.EPOCH, false, true);
            install(tablet.compactions().flush(oldest, plans, scope, Pace.AT_ONCE));
        }
    }

    /** METADATA first, as a server does. */
    private void install(Compacted flushed) throws BigtableException {
        Frozen oldest = frozen.remove();
        state.getFiles().removeAll(flushed.replaced());
        state.getFiles().addAll(flushed.written());
        state.setOldestReadableSequence(Math.max(state.getOldestReadableSequence(), flushed.oldestReadable()));
        state.setRedoPoint(oldest.redoPoint());
        state.setLastServerTimestamp(oldest.lastServerTimestamp());
        tablet.install(oldest, tablet.prepare(flushed));
    }

    /** Of a random stretch of the runs that share families, up to a random horizon; METADATA is told in between. */
    void compactFiles(RandomGenerator random) throws BigtableException, InterruptedException {
        CompactionPicker.Situation situation = tablet.compactions().situation();
        List<List<FileFacts>> clusters = CompactionPicker.clusters(situation);
        if (!clusters.isEmpty()) {
            List<List<FileFacts>> runs = CompactionPicker.runs(clusters.get(random.nextInt(clusters.size())));
            int from = random.nextInt(3) == 0 ? 0 : random.nextInt(runs.size());
            int to = random.nextInt(3) == 0 ? runs.size() : from + 1 + random.nextInt(runs.size() - from);
            compactFiles(CompactionPicker.plan(runs, from, to, CompactionPlan.Reason.ASKED), nextHorizon(random));
        }
    }

    /** A horizon may stay behind what is written, and never falls. */
    private long nextHorizon(RandomGenerator random) {
        horizon = random.nextInt(3) == 0 ? random.nextLong(horizon, sequence + 1) : sequence;
        return horizon;
    }

    /** Everything that can go, goes. */
    void compactAll() throws BigtableException, InterruptedException {
        for (CompactionPlan plan : tablet.compactions().planMajor()) {
            horizon = sequence;
            compactFiles(plan, horizon);
        }
    }

    void compactFiles(CompactionPlan plan, long horizon) throws BigtableException, InterruptedException {
        Compacted compacted = tablet.compactions().write(plan, horizon, RandomTable.EPOCH, Pace.AT_ONCE);
        adopt(compacted.in(state));
        tablet.install(tablet.prepare(compacted));
    }

    /** Of the runs of the first set of files, with horizon and time as the tablet has them for a server. */
    void compactRuns(int from, int to) throws BigtableException, InterruptedException {
        List<FileFacts> files =
                CompactionPicker.clusters(tablet.compactions().situation()).get(0);
        CompactionPlan plan =
                CompactionPicker.plan(CompactionPicker.runs(files), from, to, CompactionPlan.Reason.ASKED);
        Compacted compacted = tablet.compactions().write(plan, Pace.AT_ONCE);
        adopt(compacted.in(state));
        tablet.install(tablet.prepare(compacted));
    }

    /** What a server does from time to time; how many compactions of files it took. */
    int tend() throws BigtableException, InterruptedException {
        if (tablet.compactions().flushIsDue()) {
            freeze();
        }
        while (!frozen.isEmpty()) {
            compactWithFiles();
        }
        int done = 0;
        for (Optional<CompactionPlan> plan = tablet.compactions().plan();
                plan.isPresent();
                plan = tablet.compactions().plan()) {
            Compacted compacted = tablet.compactions().write(plan.get(), Pace.AT_ONCE);
            adopt(compacted.in(state));
            tablet.install(tablet.prepare(compacted));
            if (++done > 20) {
                throw new AssertionError("no end of compactions: " + plan.get());
            }
        }
        return done;
    }

    /** METADATA's next state. */
    private void adopt(TabletState next) {
        state.setFiles(new ArrayList<>(next.getFiles()));
        state.setOldestReadableSequence(next.getOldestReadableSequence());
    }

    void flush() throws BigtableException {
        freeze();
        while (!frozen.isEmpty()) {
            compact();
        }
    }

    /** The families go to groups by chance, while the tablet serves. */
    void regroup(RandomGenerator random) {
        List<FamilySchema> families = schema.families().stream()
                .map(family -> family.inGroup(schema.groups()
                        .get(random.nextInt(schema.groups().size()))
                        .name()))
                .toList();
        schema = new TableSchema(
                schema.id(),
                schema.name(),
                schema.version() + 1,
                schema.nextFamilyId(),
                schema.durability(),
                families,
                schema.groups());
        tablet.adopt(schema);
    }

    private void beforeFileOperation() {
        if (operationsLeft >= 0 && operationsLeft-- == 0) {
            store.crash("server", new Random(1));
        }
    }

    /** The server's process crashes with one of its next file operations. */
    void crashAfter(int operations) {
        operationsLeft = operations;
    }

    /** True when it has crashed as it was told to; it will not crash any more. */
    boolean hasCrashed() {
        boolean crashed = operationsLeft < 0;
        operationsLeft = -1;
        return crashed;
    }

    /**
     * The server dies with the power of all machines: what was not synced is in doubt, in finished files too. Another one
     * opens the tablet.
     */
    void crash(RandomGenerator random) throws BigtableException {
        store.losePower(random);
        restart();
    }

    void restart() throws BigtableException {
        files = store.process("server");
        reopen();
    }

    /** The tablet splits, and this one goes on with one of the halves, on clips of the same files. */
    void split(Bytes row, boolean lower) throws BigtableException {
        flush();
        Tablet.Halves halves = tablet.split(row);
        Tablet half = lower ? halves.lower() : halves.upper();
        (lower ? halves.upper() : halves.lower()).close();
        tablet.close();
        tablet = half;
        id = half.id();
        if (!lower) {
            state.setPreviousEndRow(ByteBuffer.wrap(row.toArray()));
        }
        state.setFiles(new ArrayList<>(half.files()));
    }

    /** The server dies; another one opens the tablet and replays what no file has. */
    void reopen() throws BigtableException {
        tablet.close();
        frozen.clear();
        context = newContext();
        tablet = Tablet.open(id, schema, state, context);
        for (Logged logged : log) {
            ResolvedMutation mutation =
                    ResolvedMutation.decodeBody(logged.row, logged.firstSequence, logged.timestamp, logged.body);
            if (mutation.lastSequence() > state.getRedoPoint() && tablet.range().contains(mutation.row())) {
                tablet.apply(mutation);
            }
        }
        tablet.publish(sequence);
        tablet.passOn();
    }
}
