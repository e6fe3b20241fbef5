package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.SharedAnswer;
import bt.base.UnavailableException;
import bt.metadata.Schemas;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.TabletListing;
import bt.protocol.ToldLists;
import bt.protocol.Write;
import bt.protocol.WriteResult;
import bt.record.CheckTable;
import bt.record.Done;
import bt.record.FlushTable;
import bt.record.LearnTable;
import bt.record.LoadTablet;
import bt.record.PassOn;
import bt.record.ReachServer;
import bt.record.ServerSizes;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.SizesRequest;
import bt.record.SplitTablet;
import bt.record.StopProcess;
import bt.record.TabletReport;
import bt.record.TabletSplit;
import bt.record.TraceList;
import bt.record.TracesRequest;
import bt.record.UnloadTablet;
import bt.tablet.Sizes;
import bt.tablet.TabletContext;
import bt.tabletserver.TabletSet.Failure;
import bt.tabletserver.TabletSet.Holding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/**
 * Sends each request to whom it belongs: writes to the commit queues, reads to the read pool, commands to the control
 * worker. Whether a tablet is here is looked at as a courtesy; who carries out the request looks again. Stateless, on
 * event loops.
 */
final class TabletHandler implements Service {
    /** With every look; one tells what to look for. */
    private static final int MAX_PROBLEMS = 10;

    private final Identity self;
    private final AccessGate access;
    private final TabletSet tablets;
    private final SchemaWatch schemas;
    private final Reads reads;
    private final Conditions conditions;
    private final Control control;
    private final Splitter splitter;
    private final Compactor compactor;
    private final TableFlushes flushes;
    private final AskedSplits askedSplits;
    private final Lease lease;
    private final TabletContext context;
    private final Clock clock;
    private final Witness witness;
    private final MasterWord word;
    private final Traces traces;
    private final Runnable stop;
    private final RequestMeters meters;

    /** Owned by the control thread. */
    private final TabletListing listing = new TabletListing();

    /** Owned by the control thread. */
    private final ToldLists told;

    /** The status as whoever is not the master gets it: to put it together costs as much as there are tablets. */
    private final SharedAnswer<Answer> others = new SharedAnswer<>();

    /** The same for who takes it in parts: the first. */
    private final SharedAnswer<Answer> firstParts = new SharedAnswer<>();

    /** The same without tablets. */
    private final SharedAnswer<Answer> ofNone = new SharedAnswer<>();

    TabletHandler(
            Identity self,
            AccessGate access,
            TabletSet tablets,
            SchemaWatch schemas,
            Reads reads,
            Conditions conditions,
            Control control,
            Splitter splitter,
            Compactor compactor,
            TableFlushes flushes,
            AskedSplits askedSplits,
            Lease lease,
            TabletContext context,
            Clock clock,
            Witness witness,
            MasterWord word,
            Traces traces,
            Runnable stop) {
        this.self = self;
        this.access = access;
        this.tablets = tablets;
        this.schemas = schemas;
        this.reads = reads;
        this.conditions = conditions;
        this.control = control;
        this.splitter = splitter;
        this.compactor = compactor;
        this.flushes = flushes;
        this.askedSplits = askedSplits;
        this.lease = lease;
        this.context = context;
        this.clock = clock;
        this.witness = witness;
        this.word = word;
        this.traces = traces;
        this.stop = stop;
        this.meters = new RequestMeters(clock);
        this.told = new ToldLists(clock);
    }

    @Override
    public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
        long begun = clock.nanos();
        try {
            return switch (request.kind()) {
                case MUTATE -> {
                    Request.Mutate mutate = (Request.Mutate) request;
                    schemas.checkNotDropped(mutate.tableId());
                    if (mutate.tableId() == TableSchema.METADATA_ID) {
                        // Everybody may look up where rows are.
                        access.checkAdministrator(caller.user());
                    }
                    yield meters.write(mutate, begun, mutate(caller, mutate));
                }
                case SCAN -> {
                    Request.Scan scan = (Request.Scan) request;
                    schemas.checkNotDropped(scan.tableId());
                    yield meters.read(scan, begun, reads.page(caller, scan, begun));
                }
                case CONTROL -> {
                    SpecificRecord message = ((Request.Control) request).message();
                    access.checkControl(caller.user(), message, () -> schemaHere(message));
                    yield control(caller, message);
                }
            };
        } catch (BigtableException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private CompletableFuture<Answer> mutate(Caller caller, Request.Mutate request) throws RejectedException {
        if (request.masterEpoch() != Request.Mutate.NO_MASTER) {
            checkReigns("METADATA", request.masterEpoch());
        }
        List<Write> writes = request.writes();
        Replies replies = new Replies(writes.size());
        Trace trace = traces.wantsNext() && !writes.isEmpty() ? trace(caller, request) : Trace.NONE;
        traces.keep(trace, replies.answer());
        Optional<WriteResult> elsewhere = Optional.empty();
        Optional<WriteResult> crowded = Optional.empty();
        Optional<HostedTablet> hosted = Optional.empty();
        Optional<CommitQueue> queue = Optional.empty();
        List<WriteEntry> ready = new ArrayList<>(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = WriteEntry.of(caller, request.tableId(), writes.get(i), replies.of(i));
            if (trace.isKept()) {
                entry = entry.traced(trace);
                trace.carries(1, entry.bytes());
            }
            hosted = tablets.find(request.tableId(), writes.get(i).mutation().row(), hosted);
            if (hosted.isEmpty()) {
                if (elsewhere.isEmpty()) {
                    elsewhere = Optional.of(WriteResult.failed(notServed(request, writes.get(i))));
                }
                entry.answer().accept(elsewhere.get());
                continue;
            }
            hosted.get().traffic().count(writes.get(i).mutation().row());
            if (writes.get(i).readsRow()) {
                // Behind what stands before it.
                queue.ifPresent(of -> of.write(ready));
                ready.clear();
                if (!conditions.begin(entry, hosted.get())) {
                    if (crowded.isEmpty()) {
                        crowded = Optional.of(WriteResult.failed(Reads.tooMany()));
                    }
                    entry.answer().accept(crowded.get());
                }
            } else {
                // All tablets of a table are behind the same one.
                queue = Optional.of(hosted.get().queue());
                ready.add(entry);
            }
        }
        queue.ifPresent(of -> of.write(ready));
        return replies.answer();
    }

    /** For all rows of the request that are not here: it may be of thousands, and a text for each more than it was. */
    private static UnavailableException notServed(Request.Mutate request, Write first) {
        String others = request.writes().size() == 1
                ? ""
                : ", and perhaps others of " + request.writes().size() + " rows,";
        return new UnavailableException(
                "row " + first.mutation().row().brief() + others + " is not served here: locate it again",
                Outcome.NOT_APPLIED);
    }

    private void checkReigns(String what, long masterEpoch) throws RejectedException {
        long latest = control.sawMaster(masterEpoch);
        if (masterEpoch < latest) {
            throw new RejectedException(
                    what + ": the master of epoch " + masterEpoch + " has been followed by that of epoch " + latest,
                    "ask the master that has the lock");
        }
    }

    /** Administrators, whose epoch is negative, may ask for the same. */
    private void checkIsNoEarlierMaster(String what, long masterEpoch) throws RejectedException {
        if (masterEpoch >= 0) {
            checkReigns(what, masterEpoch);
        }
    }

    private Trace trace(Caller caller, Request.Mutate request) {
        Bytes first = request.writes().get(0).mutation().row();
        return traces.begin(new Trace.Came("write", request.tableId(), first), caller);
    }

    private CompletableFuture<Answer> control(Caller caller, SpecificRecord message) throws RejectedException {
        if (message instanceof ServerStatusRequest asked) {
            // Every master asks before it changes anything: from now on earlier ones are refused.
            boolean isMasters =
                    asked.getMasterEpoch() > 0 && control.sawMaster(asked.getMasterEpoch()) == asked.getMasterEpoch();
            boolean isLook = isMasters && word.hear(asked);
            if (asked.getHeardList() == TabletListing.NO_TABLETS) {
                return status(ofNone, holdings -> List.of());
            }
            if (asked.getHeardList() < TabletListing.NOTHING_HEARD) {
                return status(others, holdings -> holdings);
            }
            // While it stops the cluster it looks at tablets alone.
            return isMasters
                    ? control.look(holdings -> new Answer.Control(look(holdings, isLook, asked.getHeardList())))
                    : part(asked.getHeardList());
        }
        if (message instanceof LoadTablet load) {
            TabletId id = new TabletId(load.getTableId(), AvroBytes.optionalBytes(load.getEndRow()));
            return done(control.load(id, load.getMasterEpoch()));
        }
        if (message instanceof UnloadTablet unload) {
            TabletId id = new TabletId(unload.getTableId(), AvroBytes.optionalBytes(unload.getEndRow()));
            Control.Leave how = new Control.Leave(unload.getFlush(), Optional.ofNullable(unload.getTarget()));
            return done(control.unload(id, how, unload.getMasterEpoch()));
        }
        if (message instanceof FlushTable flush) {
            return done(flushes.flush(caller, flush.getTableId()));
        }
        if (message instanceof SplitTablet split) {
            return split(caller, split);
        }
        if (message instanceof SizesRequest sizes) {
            // It looks at every file of the table: not on an event loop.
            return reads.run(
                    caller, sizes.getTableId(), () -> new Answer.Control(sizes(caller.user(), sizes.getTableId())));
        }
        if (message instanceof TracesRequest asked) {
            return CompletableFuture.completedFuture(new Answer.Control(
                    new TraceList(traces.slowest(asked.getMost(), Optional.ofNullable(asked.getKind())))));
        }
        if (message instanceof LearnTable learn) {
            return done(schemas.learn(learn.getTableId()));
        }
        if (message instanceof CheckTable check) {
            SchemaWatch.checkCodecs(Schemas.decode(check.getTable()));
            return CompletableFuture.completedFuture(new Answer.Control(new Done()));
        }
        if (message instanceof ReachServer question) {
            return witness.reach(question).thenApply(Answer.Control::new);
        }
        if (message instanceof PassOn word) {
            return witness.passOn(word);
        }
        if (message instanceof StopProcess word) {
            checkIsNoEarlierMaster(self.id() + " is told to stop", word.getMasterEpoch());
            stop.run();
            return CompletableFuture.completedFuture(new Answer.Control(new Done()));
        }
        throw new RejectedException(
                "a tablet server knows no " + message.getSchema().getName(), "upgrade the older of the two processes");
    }

    /** Of the table of which something is asked; empty where no tablet of it is here. */
    private Optional<TableSchema> schemaHere(SpecificRecord message) {
        long tableId = message instanceof SplitTablet split
                ? split.getTableId()
                : message instanceof FlushTable flush ? flush.getTableId() : TableSchema.DRAFT_ID;
        return tablets.schema(tableId);
    }

    private CompletableFuture<Answer> split(Caller caller, SplitTablet split) throws RejectedException {
        TabletId id = new TabletId(split.getTableId(), AvroBytes.optionalBytes(split.getEndRow()));
        checkIsNoEarlierMaster(id.inWords() + " is to be split", split.getMasterEpoch());
        word.splits().checkRoom(id);
        RowRange range = id.range(AvroBytes.optionalBytes(split.getPreviousEndRow()));
        Optional<HostedTablet> hosted = tablets.get(id)
                .flatMap(Holding::tablet)
                .filter(here -> here.tablet().range().equals(range));
        if (hosted.isEmpty()) {
            return CompletableFuture.failedFuture(new UnavailableException(
                    id.inWords() + ", with just these rows, is not served here: locate it again", Outcome.NOT_APPLIED));
        }
        SplitRow where = AvroBytes.optionalBytes(split.getRow())
                .<SplitRow>map(SplitRow.Given::new)
                .orElse(new SplitRow.Middle(0));
        return askedSplits
                .ask(caller, id, where, wish -> splitter.begin(hosted.get(), wish))
                .thenApply(row -> new Answer.Control(new TabletSplit(AvroBytes.buffer(row))));
    }

    private ServerSizes sizes(String user, long tableId) {
        SizeReport report = new SizeReport();
        tablets.of(tableId)
                .forEach(holding -> holding.tablet().map(HostedTablet::tablet).ifPresent(tablet -> {
                    report.add(report(holding), tablet, access.weighed(user, tablet.schema()));
                }));
        return report.sum();
    }

    private static CompletableFuture<Answer> done(CompletableFuture<Void> work) {
        return work.thenApply(nothing -> new Answer.Control(new Done()));
    }

    /** For all who ask at a time the same, of what is chosen of that which is here. */
    private CompletableFuture<Answer> status(SharedAnswer<Answer> shared, UnaryOperator<Collection<Holding>> choice) {
        return shared.ask(begun -> control.look(holdings -> {
            begun.run();
            return new Answer.Control(status(choice.apply(holdings), false));
        }));
    }

    /** What whoever is not the master has to hear next behind the part of this number: where that is forgotten, the first anew. */
    private CompletableFuture<Answer> part(long heardList) {
        return heardList == TabletListing.NOTHING_HEARD
                ? firstPart()
                : control.look(unused -> nextPart(heardList))
                        .thenCompose(next ->
                                next.map(CompletableFuture::completedFuture).orElseGet(this::firstPart));
    }

    /** Costs no more than the part is long. The control thread. */
    private Optional<Answer> nextPart(long heardList) {
        ServerStatus status = status(List.of(), false);
        return told.goOn(heardList, status) ? Optional.of(new Answer.Control(status)) : Optional.empty();
    }

    private CompletableFuture<Answer> firstPart() {
        return firstParts.ask(begun -> control.look(holdings -> {
            begun.run();
            ServerStatus status = status(holdings, false);
            told.begin(status);
            return new Answer.Control(status);
        }));
    }

    /** What a master is told, who remembers what it has heard. The control thread. */
    private ServerStatus look(Collection<Holding> holdings, boolean isLook, long heardList) {
        told.forget();
        ServerStatus status = status(holdings, isLook);
        listing.tell(status.getTablets(), heardList, status);
        return status;
    }

    private ServerStatus status(Collection<Holding> holdings, boolean isLook) {
        QuotaGate.Told told = isLook
                ? word.quotas().tell(holdings)
                : new QuotaGate.Told(-1, word.quotas().report(holdings), Map.of());
        List<TabletId> leaving = control.leaving();
        return new ServerStatus(
                self.id(),
                self.epoch(),
                lease.isHeld(),
                (int) ProcessHandle.current().pid(),
                holdings.stream().map(this::report).toList(),
                CacheReports.of(context.caches()),
                control.replayedMutations(),
                context.names().settled(),
                lease.outageMillis(),
                meters.reads().report(),
                meters.writes().report(),
                told.shares(),
                told.number(),
                access.version(),
                control.logReport(),
                -1L,
                -1L,
                List.of(),
                compactor.report(),
                problems(holdings),
                TabletListing.someNames(leaving),
                false,
                leaving.size());
    }

    /**
     * Tablets whose memory does not become files, or whose row METADATA does not change, that come or leave too, or of which it is not
     * known which writes are open; of many the first.
     */
    private List<String> problems(Collection<Holding> holdings) {
        long now = clock.nanos();
        Stream<String> ofServed = holdings.stream()
                .flatMap(holding -> holding.tablet().stream())
                .flatMap(hosted -> problem(hosted, now).stream());
        return Stream.concat(control.problems().stream(), ofServed)
                .limit(MAX_PROBLEMS)
                .toList();
    }

    private static Optional<String> problem(HostedTablet hosted, long now) {
        String subject = hosted.tablet().subject();
        return hosted.merging()
                .flushTrouble()
                .lasting(now)
                .map(why -> subject + ": its memory cannot be written to a file: " + why)
                .or(() -> hosted.row()
                        .trouble()
                        .lasting(now)
                        .map(why -> subject + ": METADATA does not take a change of its row: " + why))
                .or(() -> hosted.unread().refusal(now).map(why -> subject + ": " + why));
    }

    private TabletReport report(Holding holding) {
        Sizes sizes = holding.tablet().map(hosted -> hosted.tablet().sizes()).orElse(new Sizes(0, 0, 0, 0));
        Optional<Failure> trouble = holding.trouble();
        return new TabletReport(
                holding.id().tableId(),
                AvroBytes.buffer(holding.id().endRow()),
                holding.phase(),
                sizes.memtableBytes() + sizes.frozenBytes(),
                sizes.fileBytes(),
                sizes.files(),
                trouble.map(Failure::why).orElse(null),
                trouble.map(Failure::passes).orElse(false),
                holding.tablet()
                        .map(hosted -> hosted.traffic().perMinute(clock.nanos()))
                        .orElse(0L),
                holding.tablet().map(hosted -> hosted.merging().asked().done()).orElse(AskedCompaction.NONE),
                holding.tablet()
                        .map(hosted -> hosted.merging().askedFlush().done())
                        .orElse(AskedCompaction.NONE),
                holding.tablet()
                        .flatMap(hosted -> hosted.merging().asked().failure())
                        .orElse(null),
                holding.tablet()
                        .flatMap(hosted -> hosted.merging().askedFlush().failure())
                        .orElse(null));
    }
}
