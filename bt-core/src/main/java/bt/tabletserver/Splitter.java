package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Failures;
import bt.base.Halt;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.SplitIntent;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.Intent;
import bt.record.TabletState;
import bt.tablet.OpenWrites;
import bt.tablet.Tablet;
import bt.tabletserver.AskedSplits.Splitting;
import bt.tabletserver.TabletJobs.Job;
import bt.tabletserver.TabletJobs.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits tablets that are served here (section 5.3 of the paper: splits are begun by tablet servers). A split is one
 * mutation of the tablet's METADATA row: the row keeps its end row, so it becomes that of the upper half, and it gets an
 * intent with all that the lower half's row will hold. Until that mutation nothing has happened; after it both halves are
 * there, whoever dies. Writes are refused from the stop to the moment at which the halves are adopted; reads never. Any
 * thread; the work is a job of the tablet.
 */
final class Splitter {
    private static final Logger log = LoggerFactory.getLogger(Splitter.class);

    /** Nothing has happened yet, and hand-overs wait for the thread. */
    private static final long ROW_MILLIS = 10_000;

    private final Scheduler scheduler;
    private final MetadataTable metadata;
    private final Identity self;
    private final Compactor compactor;
    private final Control control;
    private final TabletMemory memory;
    private final Pools pools;
    private final Halt halt;
    private final Adoption adoption;
    private final HalfRows halfRows;

    Splitter(
            Scheduler scheduler,
            MetadataTable metadata,
            Identity self,
            Compactor compactor,
            Control control,
            TabletMemory memory,
            Pools pools,
            Halt halt) {
        this.scheduler = scheduler;
        this.metadata = metadata;
        this.self = self;
        this.compactor = compactor;
        this.control = control;
        this.memory = memory;
        this.pools = pools;
        this.halt = halt;
        this.adoption = new Adoption(scheduler, halt);
        this.halfRows = new HalfRows(pools, compactor.patience());
    }

    /**
     * Completes with the last row of the lower half when both serve and METADATA has both; REJECTED where the tablet cannot be
     * split so.
     */
    CompletableFuture<Bytes> split(HostedTablet parent, SplitRow where) {
        return begin(parent, () -> where).row();
    }

    /** The same of what is asked for when the work begins; it is busy until what is left waits for METADATA alone. */
    Splitting begin(HostedTablet parent, AskedSplits.Wish wish) {
        Splitting split = new Splitting(new CompletableFuture<>(), new CompletableFuture<>());
        TabletId id = parent.id();
        Part firstPart = () -> {
            try {
                return split(parent, wish.begin(), split.row());
            } finally {
                split.busy().complete(null);
            }
        };
        CompletableFuture<?> unused = compactor
                .submitHastened(parent, firstPart, pools.partings(id), pools.rests(id))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        split.row().completeExceptionally(failure);
                    }
                    // Or it never began.
                    split.busy().complete(null);
                });
        return split;
    }

    private Optional<Part> split(HostedTablet parent, SplitRow where, CompletableFuture<Bytes> done)
            throws BigtableException, InterruptedException {
        long begunNanos = scheduler.clock().nanos();
        check(parent);
        memory.takeHalf(parent.row().row(), parent.tablet().propertiesBytes(), done);
        if (!(where instanceof SplitRow.Middle)) {
            // A row that is wrong is so before anything is written: it costs no file.
            Bytes unused = choose(where, parent.tablet());
        }
        // While writes still come in: what must be written once they are refused is then small.
        compactor.compact(parent);
        Bytes row = choose(where, parent.tablet());
        Stand stand = stand(parent, row);
        long stoppedNanos = scheduler.clock().nanos();
        adoption.disownOrHalt(parent);
        Split split = halvedOrGivenBack(parent, stand, where instanceof SplitRow.Given);
        return writeOrGiveBack(parent, split, () -> {
            serveOrHalt(parent, split, done);
            long now = scheduler.clock().nanos();
            log.info(
                    "{} is split at {} in {} ms, for {} of which it took no writes",
                    parent.id(),
                    row,
                    (now - begunNanos) / 1_000_000,
                    (now - stoppedNanos) / 1_000_000);
        });
    }

    private static Bytes choose(SplitRow where, Tablet tablet) throws BigtableException {
        return tablet.id().tableId() == TableSchema.METADATA_ID
                ? new LivingRow(tablet).choose(where)
                : where.choose(tablet);
    }

    private static void check(HostedTablet parent) throws BigtableException {
        if (parent.id().equals(MetadataSchema.ROOT)) {
            throw new RejectedException("the root tablet never splits", "name a row of another tablet");
        }
        if (parent.tablet().isClosed()) {
            throw new UnavailableException(
                    parent.tablet().subject() + " is split or unloaded meanwhile: locate it again",
                    Outcome.NOT_APPLIED);
        }
        MetadataRow row = parent.row().row();
        if (!row.state().getLogs().isEmpty()
                || !SplitIntent.of(row).isEmpty()
                || parent.merging().isInDoubt()
                || parent.unread().areNamed(row.state())) {
            throw new UnavailableException(
                    parent.tablet().subject() + ": METADATA has not finished what came before: try again",
                    Outcome.NOT_APPLIED);
        }
    }

    /** As what the lower half's row will stand in METADATA: above any tablet that has ended there before. */
    private Stand stand(HostedTablet parent, Bytes row) throws BigtableException, InterruptedException {
        TabletId id = new TabletId(parent.id().tableId(), Optional.of(row));
        Optional<MetadataRow> before = metadata.within(ROW_MILLIS).read(id);
        if (before.isPresent() && !before.get().gone()) {
            throw new RejectedException(id + " exists already", "look at it again, and decide again");
        }
        if (control.isLeaving(id)) {
            // Seeing the lower half served here, who gave that one up would take it for that, and give it away.
            throw new UnavailableException(
                    id.inWords() + ", which was merged with what is behind it, is still being handed over: try again",
                    Outcome.NOT_APPLIED);
        }
        long masterEpoch = before.map(MetadataRow::masterEpoch).orElse(0L);
        return new Stand(
                id,
                before.map(gone -> gone.generation() + 1).orElse(0L),
                Math.max(masterEpoch, parent.row().row().masterEpoch()));
    }

    private record Stand(TabletId id, long generation, long masterEpoch) {}

    /** After any failure nothing has happened, and the tablet takes writes again. */
    private Split halvedOrGivenBack(HostedTablet parent, Stand stand, boolean isGiven)
            throws BigtableException, InterruptedException {
        Optional<Tablet.Halves> halves = Optional.empty();
        try {
            compactor.writeFrozenAtOnce(parent);
            Bytes row = stand.id().endRow().orElseThrow();
            halves = Optional.of(parent.tablet().split(row));
            SplitIntent intent = intent(parent, halves.get(), stand, isGiven);
            List<FileReference> upperFiles = files(halves.get().upper(), parent);
            RowPursuit change = parent.row()
                    .serve(
                            state -> upperState(state, intent, upperFiles),
                            "split: rows up to " + row.brief() + " left");
            return new Split(halves.get(), intent, change);
        } catch (BigtableException failed) {
            giveBack(parent, halves);
            throw failed;
        } catch (RuntimeException | Error bug) {
            halt.halt(parent.id() + " takes no writes, and cannot be split: " + bug);
            throw bug;
        }
    }

    /**
     * Has METADATA say that the tablet is split, and then does the rest. After any failure nothing has happened, and the tablet takes
     * writes again; while it is in doubt whether METADATA says so it takes none.
     */
    private Optional<Part> writeOrGiveBack(HostedTablet parent, Split split, Job then)
            throws BigtableException, InterruptedException {
        try {
            Optional<BigtableException> open = compactor.patience().ask(split.change()::attempt);
            if (open.isPresent()) {
                if (split.change().isInDoubt()) {
                    return Optional.of(() -> writeOrGiveBack(parent, split, then));
                }
                throw open.get();
            }
        } catch (BigtableException failed) {
            giveBack(parent, Optional.of(split.halves()));
            throw failed;
        } catch (RuntimeException | Error bug) {
            halt.halt(parent.id() + " takes no writes and may be split: " + bug);
            throw bug;
        }
        then.run();
        return Optional.empty();
    }

    private void giveBack(HostedTablet parent, Optional<Tablet.Halves> halves)
            throws BigtableException, InterruptedException {
        halves.ifPresent(made -> {
            made.lower().close();
            made.upper().close();
        });
        adoption.adoptOrHalt(parent, new Outcomes());
    }

    /** The halves, and the change with which METADATA knows of them. */
    private record Split(Tablet.Halves halves, SplitIntent intent, RowPursuit change) {}

    private static SplitIntent intent(HostedTablet parent, Tablet.Halves halves, Stand stand, boolean isGiven) {
        MetadataRow row = parent.row().row();
        TabletState state = TabletState.newBuilder(row.state())
                .setFiles(files(halves.lower(), parent))
                .setIntents(List.of())
                .build();
        return new SplitIntent(new MetadataRow(
                stand.id(),
                stand.generation(),
                stand.masterEpoch(),
                row.location(),
                isGiven ? TabletStates.keptEndRow(state) : state));
    }

    /** The files of a half, and of the tablet's open writes those of its rows. */
    private static List<FileReference> files(Tablet half, HostedTablet parent) {
        List<FileReference> files = new ArrayList<>(half.files());
        files.addAll(OpenWrites.of(parent.row().row().state().getFiles(), half.range()));
        return files;
    }

    /** Said twice it is said once. */
    private static TabletState upperState(TabletState state, SplitIntent split, List<FileReference> files) {
        List<Intent> intents = new ArrayList<>(split.removedFrom(state).getIntents());
        intents.add(split.encode());
        return TabletState.newBuilder(state)
                .setPreviousEndRow(AvroBytes.buffer(split.lower().id().endRow()))
                .setFiles(files)
                .setIntents(intents)
                .build();
    }

    /** There is no way back from here: what is in the way ends the server, and recovery finds the intent. */
    private void serveOrHalt(HostedTablet parent, Split split, CompletableFuture<Bytes> done)
            throws BigtableException, InterruptedException {
        try {
            serve(parent, split, done);
        } catch (BigtableException | RuntimeException | Error failed) {
            halt.halt(parent.id() + " is split in METADATA and not here: " + Failures.said(failed));
            throw failed;
        }
    }

    private void serve(HostedTablet parent, Split split, CompletableFuture<Bytes> done)
            throws BigtableException, InterruptedException {
        TabletId lowerId = split.intent().lower().id();
        long now = scheduler.clock().nanos();
        HostedTablet lower = HostedTablet.of(
                split.halves().lower(),
                new HeldRow(metadata, scheduler, self, split.intent().lower()),
                parent.queue(),
                new TabletJobs(pools.jobs(lowerId)),
                parent.traffic().halved(now));
        HostedTablet upper = HostedTablet.of(
                split.halves().upper(),
                parent.row(),
                parent.queue(),
                parent.jobs(),
                parent.traffic().halved(now));
        halfRows.complete(lower, upper, split.intent(), done);
        // Reads first: once a half has acknowledged a write nobody may be answered from the whole.
        control.serve(lower, upper);
        adoption.adoptOrHalt(lower, new Outcomes());
        adoption.adoptOrHalt(upper, new Outcomes());
        parent.tablet().close();
        compactor.look(lower);
        compactor.look(upper);
    }
}
