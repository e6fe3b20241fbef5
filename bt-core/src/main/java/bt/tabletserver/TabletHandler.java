package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.Schemas;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
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
import bt.record.ServerStatusRequest;
import bt.record.SizesRequest;
import bt.record.SplitTablet;
import bt.record.StopProcess;
import bt.record.TabletSplit;
import bt.record.TraceList;
import bt.record.TracesRequest;
import bt.record.UnloadTablet;
import bt.tabletserver.TabletSet.Holding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;

/**
 * Sends each request to whom it belongs: writes to the commit queues, reads to the read pool, commands to the control
 * worker. Whether a tablet is here is looked at as a courtesy; who carries out the request looks again. Stateless, on
 * event loops.
 */
final class TabletHandler implements Service {
    private final Identity self;
    private final AccessGate access;
    private final TabletSet tablets;
    private final SchemaWatch schemas;
    private final Reads reads;
    private final Conditions conditions;
    private final Control control;
    private final Splitter splitter;
    private final TableFlushes flushes;
    private final AskedSplits askedSplits;
    private final Clock clock;
    private final Witness witness;
    private final MasterWord word;
    private final Traces traces;
    private final RequestMeters meters;
    private final ServerStatuses statuses;
    private final Runnable stop;

    TabletHandler(
            Identity self,
            AccessGate access,
            TabletSet tablets,
            SchemaWatch schemas,
            Reads reads,
            Conditions conditions,
            Control control,
            Splitter splitter,
            TableFlushes flushes,
            AskedSplits askedSplits,
            Clock clock,
            Witness witness,
            MasterWord word,
            Traces traces,
            RequestMeters meters,
            ServerStatuses statuses,
            Runnable stop) {
        this.self = self;
        this.access = access;
        this.tablets = tablets;
        this.schemas = schemas;
        this.reads = reads;
        this.conditions = conditions;
        this.control = control;
        this.splitter = splitter;
        this.flushes = flushes;
        this.askedSplits = askedSplits;
        this.clock = clock;
        this.witness = witness;
        this.word = word;
        this.traces = traces;
        this.meters = meters;
        this.statuses = statuses;
        this.stop = stop;
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
            return statuses.tell(asked);
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
                .orElse(new SplitRow.Middle(0, () -> {}));
        return askedSplits
                .ask(caller, id, where, wish -> splitter.begin(hosted.get(), wish))
                .thenApply(row -> new Answer.Control(new TabletSplit(AvroBytes.buffer(row))));
    }

    private ServerSizes sizes(String user, long tableId) {
        SizeReport report = new SizeReport();
        tablets.of(tableId)
                .forEach(holding -> holding.tablet().map(HostedTablet::tablet).ifPresent(tablet -> {
                    report.add(statuses.report(holding), tablet, access.weighed(user, tablet.schema()));
                }));
        return report.sum();
    }

    private static CompletableFuture<Answer> done(CompletableFuture<Void> work) {
        return work.thenApply(nothing -> new Answer.Control(new Done()));
    }
}
