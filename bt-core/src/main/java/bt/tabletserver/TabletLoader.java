package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.fs.FilePaths;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.SplitIntent;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.TabletState;
import bt.tablet.Frozen;
import bt.tablet.OpenWrite;
import bt.tablet.OpenWrites;
import bt.tablet.Tablet;
import bt.tablet.TabletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over a tablet that METADATA gives to this server: opens its files, replays what the logs of dead servers hold of
 * it, and says in one mutation that it serves. What it has replayed is frozen by then, and goes to files while the tablet
 * serves: until METADATA names these, it names the logs. A load that fails leaves nothing behind. Any thread.
 */
final class TabletLoader {
    private static final Logger log = LoggerFactory.getLogger(TabletLoader.class);

    /** The master asks again; and other loads, of tablets whose rows can be read, wait for the thread. */
    private static final long ROW_MILLIS = 10_000;

    /** A load that has said nothing to METADATA yet has changed nothing: for so long it tries to. */
    private static final long BEGIN_MILLIS = 30_000;

    private final MetadataTable metadata;
    private final SchemaWatch schemas;
    private final Scheduler scheduler;
    private final TabletContext context;
    private final SegmentSorts sorts;
    private final CommitQueues queues;
    private final TabletMemory memory;
    private final Identity self;
    private final AtomicLong replayedMutations = new AtomicLong();

    TabletLoader(
            MetadataTable metadata,
            SchemaWatch schemas,
            Scheduler scheduler,
            TabletContext context,
            SegmentSorts sorts,
            CommitQueues queues,
            TabletMemory memory,
            Identity self) {
        this.metadata = metadata;
        this.schemas = schemas;
        this.scheduler = scheduler;
        this.context = context;
        this.sorts = sorts;
        this.queues = queues;
        this.memory = memory;
        this.self = self;
    }

    /**
     * A tablet that METADATA is to say that we serve, its owner not chosen yet; what its logs told of its writes and what they held
     * that is in no file; and which of its open writes cannot be told.
     */
    record Loaded(
            Tablet tablet,
            HeldRow row,
            Outcomes replayed,
            Optional<Frozen> unwritten,
            UnreadWrites unread,
            Beginning beginning) {}

    /** The last step, and until when it may be given up in. */
    record Beginning(RowPursuit change, Deadline end) {}

    /**
     * All but the last step. REJECTED when METADATA does not, or no more, say that we load the tablet, or the load was given up
     * here; OVERLOADED when there is no room for one more tablet; empty when memory has none for what logs hold of it. The course is told each step. What {@code unserved} is for sure,
     * whatever METADATA says, is loaded where that says that we serve it too.
     */
    Optional<Loaded> load(TabletId id, LoadWatch.Course course, boolean unserved)
            throws BigtableException, InterruptedException {
        course.step("reads the tablet's row");
        MetadataRow row = metadata.within(ROW_MILLIS)
                .read(id)
                .orElseThrow(() -> new RejectedException(
                        id.inWords() + " has no METADATA row", "look at it again, and decide again"));
        if (unserved && isOurs(row, Phase.SERVING)) {
            row = takeBack(row);
        }
        if (!isOurs(row, Phase.LOADING)) {
            throw new RejectedException(
                    id.inWords() + " is " + row.location().getPhase() + " "
                            + row.location().getServer() + " in METADATA, generation " + row.generation()
                            + ": it is not ours to load",
                    "look at it again, and decide again");
        }
        if (row.state().getOffline() != null) {
            throw new UnavailableException(
                    "it must stay offline: " + row.state().getOffline(), Outcome.NOT_APPLIED);
        }
        if (!row.state().getLogs().isEmpty() && !queues.haveRoom(id)) {
            return Optional.empty();
        }
        memory.take(row);
        List<SplitIntent> splits = SplitIntent.of(row);
        for (SplitIntent split : splits) {
            // Whoever served the tablet died in the middle of it.
            metadata.within(ROW_MILLIS).complete(split);
        }
        course.step("looks for the table's schema");
        TableSchema schema = schema(row);
        course.step("opens the tablet's files");
        checkCodecs(schema);
        Opened opened = open(row, schema, course);
        Tablet tablet = opened.tablet;
        try {
            memory.opened(row, tablet);
            HeldRow held = new HeldRow(metadata, scheduler, self, row);
            course.lastStep("writes the tablet's row");
            RowPursuit serving = serving(held, schema, splits, opened.unwritten.isPresent());
            tablet.passOn();
            Beginning beginning = new Beginning(serving, Deadline.after(scheduler.clock(), BEGIN_MILLIS));
            return Optional.of(new Loaded(tablet, held, opened.replayed, opened.unwritten, opened.unread, beginning));
        } catch (RejectedException | RuntimeException failed) {
            tablet.close();
            throw failed;
        }
    }

    /**
     * The last step: METADATA is told that the tablet is served. What it failed with when it has not answered for so long: then this
     * is to be done again, for it may have heard so. REJECTED when the tablet is not ours to load any more; UNAVAILABLE when METADATA, for half a
     * minute, could not be told at all.
     */
    Optional<BigtableException> begin(Loaded loaded, long millis) throws BigtableException, InterruptedException {
        Beginning beginning = loaded.beginning();
        try {
            Optional<BigtableException> open = beginning.change().attempt(millis);
            if (open.isPresent()
                    && !beginning.change().isInDoubt()
                    && beginning.end().isOver()) {
                throw open.get();
            }
            return open;
        } catch (BigtableException | InterruptedException | RuntimeException failed) {
            loaded.tablet().close();
            throw failed;
        }
    }

    /** A tablet that is as the row's state and the logs say. */
    private record Opened(Tablet tablet, Outcomes replayed, Optional<Frozen> unwritten, UnreadWrites unread) {}

    /** CORRUPTION where a file or a log that the tablet needs is damaged: then its row tells. */
    private Opened open(MetadataRow row, TableSchema schema, LoadWatch.Course course)
            throws BigtableException, InterruptedException {
        TabletId id = row.id();
        try {
            Tablet tablet = Tablet.open(id, schema, row.state(), context);
            queues.of(id).comes(tablet);
            try {
                checkKnows(id, schema, tablet.schemaVersionOfFiles(), "a file");
                Outcomes replayed = replay(tablet, row.state(), course);
                UnreadWrites unread = readOpenWrites(tablet, row.state(), replayed, course);
                Optional<Frozen> unwritten = tablet.freeze(
                        replayed.openIn(id, tablet.range(), context.clock().micros()));
                return new Opened(tablet, replayed, unwritten, unread);
            } catch (BigtableException | InterruptedException | RuntimeException failed) {
                tablet.close();
                throw failed;
            }
        } catch (CorruptionException damage) {
            CorruptionException told = TabletDamage.of(schema, row, damage);
            course.tells("tells of damage");
            tell(row, told.getMessage());
            throw told;
        }
    }

    /**
     * Before the master learns of it, which then changes the row. Not of METADATA's tablets: for those servers wait who have
     * something to write there, as long as it takes.
     */
    private void tell(MetadataRow row, String damage) throws InterruptedException {
        if (row.id().tableId() == TableSchema.METADATA_ID) {
            return;
        }
        try {
            MetadataRow unused = metadata.within(ROW_MILLIS).tellDamage(row, damage);
        } catch (BigtableException untold) {
            // Clients wait for the next load, which tells.
            log.warn("{}: {}", row.id(), untold.getMessage());
        }
    }

    /** So that another server may have the tablet, should this load fail too. */
    private MetadataRow takeBack(MetadataRow row) throws BigtableException, InterruptedException {
        try {
            return metadata.within(ROW_MILLIS)
                    .replace(
                            row,
                            self.location(Phase.LOADING),
                            row.state(),
                            "not served by " + self.id() + ", which loads it");
        } catch (RejectedException changed) {
            throw new UnavailableException(changed.getMessage(), Outcome.NOT_APPLIED);
        }
    }

    /** Whether METADATA says that we serve the tablet. */
    boolean isServedHere(TabletId id) throws BigtableException, InterruptedException {
        return metadata.within(ROW_MILLIS)
                .read(id)
                .filter(row -> isOurs(row, Phase.SERVING))
                .isPresent();
    }

    private boolean isOurs(MetadataRow row, Phase phase) {
        return !row.gone() && row.location().getPhase() == phase && self.isNamedBy(row.location());
    }

    /** By all loads since the start. */
    long replayedMutations() {
        return replayedMutations.get();
    }

    /**
     * A family that the schema does not know yet would be taken for one that was dropped, and a compaction would drop it.
     * UNAVAILABLE, which has the master repeat the load, which looks at the schema again.
     */
    static void checkKnows(TabletId id, TableSchema schema, long version, String what) throws UnavailableException {
        if (version > schema.version()) {
            throw new UnavailableException(
                    id.inWords() + ": " + what + " was written with version " + version
                            + " of its table's schema, known here is " + schema.version() + ": the load waits for it",
                    Outcome.NOT_APPLIED);
        }
    }

    /** Before the first write is taken: what we cannot write to files later would stay in memory, and fill it. */
    private static void checkCodecs(TableSchema schema) throws UnavailableException {
        try {
            SchemaWatch.checkCodecs(schema);
        } catch (RejectedException unknown) {
            throw new UnavailableException(unknown.getMessage(), Outcome.NOT_APPLIED);
        }
    }

    private TableSchema schema(MetadataRow row) throws BigtableException, InterruptedException {
        long tableId = row.id().tableId();
        return schemas.current(tableId)
                .filter(schema -> schema.version() >= row.state().getSchemaVersion())
                .orElseThrow(() -> new UnavailableException(
                        row.id().inWords() + ": its table is not there, or not in version "
                                + row.state().getSchemaVersion() + " or later",
                        Outcome.NOT_APPLIED));
    }

    private Outcomes replay(Tablet tablet, TabletState found, LoadWatch.Course course)
            throws BigtableException, InterruptedException {
        LogReplay replay = new LogReplay(
                context.files(),
                sorts,
                tablet,
                found.getRedoPoint(),
                context.clock().micros());
        Outcomes replayed = replay.run(found.getLogs(), course::step);
        replayedMutations.addAndGet(replay.applied());
        return replayed;
    }

    /** Those that an earlier server flushed: its log may be gone, and this may not be the first move. */
    private UnreadWrites readOpenWrites(Tablet tablet, TabletState found, Outcomes known, LoadWatch.Course course)
            throws BigtableException {
        course.step("reads the tablet's files of open writes");
        long tableId = tablet.id().tableId();
        UnreadWrites unread = UnreadWrites.NONE;
        for (FileReference file : found.getFiles()) {
            Optional<CorruptionException> damage = readOpenWrites(tablet, file, known);
            if (damage.isPresent()) {
                log.warn(
                        "{}: {}: it is served without",
                        tablet.id(),
                        damage.get().getMessage());
                List<FileReference> files = new ArrayList<>(unread.files());
                files.add(file);
                unread = UnreadWrites.of(
                        tableId, files, damage.get(), scheduler.clock().nanos());
            }
        }
        return unread;
    }

    /** What is wrong with the file. One that is gone does not come back by being waited for. */
    private Optional<CorruptionException> readOpenWrites(Tablet tablet, FileReference file, Outcomes known)
            throws BigtableException {
        try {
            for (OpenWrite write : OpenWrites.read(List.of(file), tablet.range(), context)) {
                known.add(tablet.id().tableId(), write);
            }
            return Optional.empty();
        } catch (CorruptionException damage) {
            return Optional.of(damage);
        } catch (UnavailableException failed) {
            if (isThere(file.getPath())) {
                throw failed;
            }
            return Optional.of(new CorruptionException(file.getPath() + ": the file is missing"));
        }
    }

    /** By its directory: what a file that cannot be opened fails with does not tell. */
    private boolean isThere(String path) throws BigtableException {
        return context.files().list(FilePaths.parent(path)).stream()
                .anyMatch(found -> found.name().equals(FilePaths.name(path)));
    }

    /** Where something is in memory alone, the logs that have it stay needed: should we die, the next server replays both. */
    private RowPursuit serving(HeldRow held, TableSchema schema, List<SplitIntent> completed, boolean logsAreNeeded) {
        return held.begin(
                state -> TabletState.newBuilder(without(completed, state))
                        .setLogs(logsAreNeeded ? state.getLogs() : List.of())
                        .setSchemaVersion(schema.version())
                        .build(),
                "serving on " + self.id());
    }

    private static TabletState without(List<SplitIntent> completed, TabletState state) {
        TabletState rest = state;
        for (SplitIntent split : completed) {
            rest = split.removedFrom(rest);
        }
        return rest;
    }
}
