package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.Ending;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Retry;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.metadata.Locator;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.Schemas;
import bt.metadata.TabletPlace;
import bt.metadata.Whereabouts;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Calls;
import bt.protocol.Network;
import bt.protocol.WriteId;
import bt.protocol.WriteNumbers;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** What all that one application opens has in common. Any thread. */
final class Session {
    /** Of what is neither written nor read by rows: what tables and the cluster are asked for. */
    private static final long CALL_MILLIS = 15_000;

    private static final long DEADLINE_MILLIS = 60_000;

    /** Between two looks whether a number is to be had. */
    private static final long CROWDED_MILLIS = 10;

    private final LockService locks;
    private final Scheduler scheduler;
    private final Calls calls;
    private final Calls rowCalls;
    private final MetadataTable metadata;
    private final Schemas schemas;
    private final Retry retry;
    private final WriteNumbers numbers;
    private final Pace pace;
    private final ClientOptions options;
    private final BatchShares batches;
    private final Closing closing;
    private final Ending ending = new Ending("the client was closed", "open another");

    Session(Network network, LockService locks, Scheduler scheduler, RandomGenerator random) {
        this(network, locks, scheduler, random, ClientOptions.DEFAULT);
    }

    Session(Network network, LockService locks, Scheduler scheduler, RandomGenerator random, ClientOptions options) {
        this.options = options;
        this.locks = locks;
        this.scheduler = scheduler;
        calls = new Calls(network, scheduler, CALL_MILLIS);
        rowCalls = new Calls(network, scheduler, options.requestTimeout().toMillis());
        metadata = new MetadataTable(network, locks, scheduler, random, ending);
        schemas = new Schemas(locks);
        retry = new Retry(scheduler, random, DEADLINE_MILLIS, ending);
        numbers = new WriteNumbers(random.nextLong());
        pace = new AdaptivePace(scheduler);
        batches = new BatchShares(options.batchBytes());
        closing = new Closing(scheduler);
    }

    /** REJECTED once the client is closed. */
    LockService locks() throws RejectedException {
        ending.check(() -> "the lock service");
        return locks;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    ClientOptions options() {
        return options;
    }

    /** What tables and the cluster are asked for. */
    Calls calls() {
        return calls;
    }

    /** Reads and writes of rows, each attempt within its time. */
    Calls rowCalls() {
        return rowCalls;
    }

    MetadataTable metadata() {
        return metadata;
    }

    Locator locator() {
        return metadata.locator();
    }

    /** REJECTED once the client is closed. */
    Schemas schemas() throws RejectedException {
        ending.check(() -> "the tables");
        return schemas;
    }

    Retry retry() {
        return retry;
    }

    WriteNumbers numbers() {
        return numbers;
    }

    /**
     * A number for a write, which the subject names; waits, until the deadline, while too many of the client's are on their
     * way. To be closed.
     */
    WriteId openWrite(Supplier<String> subject, Deadline deadline) throws OverloadedException, InterruptedException {
        Optional<WriteId> id = numbers.tryOpen();
        while (id.isEmpty()) {
            if (deadline.isOver()) {
                throw tooFarAhead(subject.get());
            }
            scheduler.pause(CROWDED_MILLIS);
            id = numbers.tryOpen();
        }
        return id.get();
    }

    /** Where a write has no number yet, and is not to wait for one. */
    OverloadedException tooFarAhead(String subject) {
        return new OverloadedException(
                subject + ": not sent: more than " + WriteNumbers.SPAN
                        + " writes of this client have begun since the oldest that has not ended:"
                        + " wait until it has",
                CROWDED_MILLIS);
    }

    /** Of all batches together. */
    Pace pace() {
        return pace;
    }

    BatchShares batches() {
        return batches;
    }

    Closing closing() {
        return closing;
    }

    /** Of the client: what tries again then stops, and nothing is begun. */
    Ending ending() {
        return ending;
    }

    /** Why a write is not waited for any more, and what there is to do where its outcome is this. */
    BigtableException stopped(String subject, Outcome outcome) {
        if (ending.isOver()) {
            return closed(subject, outcome);
        }
        return outcome == Outcome.UNKNOWN
                ? doubted(subject, "given up")
                : new UnavailableException(
                        subject + ": given up before a server has applied it: send it again", outcome);
    }

    /** The same where that is because the client was closed. */
    BigtableException closed(String subject, Outcome outcome) {
        return outcome == Outcome.UNKNOWN ? doubted(subject, "the client was closed") : ending.refusal(subject);
    }

    private static UnavailableException doubted(String subject, String why) {
        return new UnavailableException(
                subject + ": " + why + " while it was under way, and a server may have it: read it before you send it"
                        + " again, where that does harm",
                Outcome.UNKNOWN);
    }

    /** Of what tables and the cluster are asked for. */
    Deadline adminDeadline() {
        return Deadline.after(scheduler.clock(), DEADLINE_MILLIS);
    }

    /** Of a write, a transaction, or the read of a row. */
    Deadline deadline() {
        return Deadline.after(scheduler.clock(), options.operationTimeout().toMillis());
    }

    /** Of a page of a scan. */
    Deadline pageDeadline() {
        return Deadline.after(scheduler.clock(), options.pageTimeout().toMillis());
    }

    /** Where a row is served, or why it is not; REJECTED once its table is dropped. */
    Whereabouts look(TableSchema table, Bytes row, Deadline deadline) throws BigtableException, InterruptedException {
        Whereabouts found = locator().look(table.id(), row, deadline);
        if (found.isNobodys() && schemas.refresh(table.id()).isEmpty()) {
            throw new RejectedException(
                    "table " + table.name() + " was dropped, or truncated",
                    "open it again, undelete it, or create it anew");
        }
        return found;
    }

    TabletPlace locate(TableSchema table, Bytes row, Deadline deadline) throws BigtableException, InterruptedException {
        Whereabouts found = look(table, row, deadline);
        return found.place().orElseThrow(() -> found.unserved(table, row));
    }

    /** What is looked up before anything is sent: tried again while nobody answers, and nothing is applied where it fails. */
    <T> T lookUp(String subject, Retry.Attempt<T> look) throws BigtableException {
        ending.check(() -> subject);
        return looked(() -> uninterrupted(subject, Outcome.NOT_APPLIED, () -> retry.run(subject, look)));
    }

    /** A look, which changes nothing, and in front of what it is for: where it fails nothing was sent. */
    static <T, E extends Exception> T looked(Look<T, E> look) throws BigtableException, E {
        try {
            return look.look();
        } catch (BigtableException failed) {
            throw failed.notApplied();
        }
    }

    /** Something that looks, and perhaps waits. */
    @FunctionalInterface
    interface Look<T, E extends Exception> {
        T look() throws BigtableException, E;
    }

    /** A table as it is now, for who is at a change of it. */
    Optional<TableSchema> refresh(long tableId) throws BigtableException {
        return looked(() -> schemas().refresh(tableId));
    }

    /** What METADATA tells of a table's tablets, by their rows, without those that are gone. */
    List<MetadataRow> tablets(TableSchema table) throws BigtableException, InterruptedException {
        return tablets(table.name(), table.id());
    }

    /** The same by its id. */
    List<MetadataRow> tablets(String name, long tableId) throws BigtableException, InterruptedException {
        return asToldOf(name, () -> metadata.scan(tableId, tableId));
    }

    /** The same, until then. */
    List<MetadataRow> tablets(String name, long tableId, Deadline until)
            throws BigtableException, InterruptedException {
        return asToldOf(
                name, () -> metadata.within(Math.max(1, until.leftMillis())).scan(tableId, tableId));
    }

    /** What METADATA tells of one of its tablets; one that is gone too. */
    Optional<MetadataRow> tablet(TableSchema table, TabletId tablet) throws BigtableException, InterruptedException {
        return asToldOf(table.name(), () -> metadata.read(tablet));
    }

    /** Of what is damaged METADATA tells the rows, and does not know what their table is called. */
    private static <T> T asToldOf(String table, Waiting<T> looking) throws BigtableException, InterruptedException {
        return looked(() -> {
            try {
                return looking.run();
            } catch (CorruptionException damaged) {
                throw damaged.about("table " + table);
            }
        });
    }

    /** Something that waits. */
    @FunctionalInterface
    interface Waiting<T> {
        T run() throws BigtableException, InterruptedException;
    }

    /** The application's side: it is told of an interruption by its flag and a failure of this outcome. */
    static <T> T uninterrupted(String subject, Outcome outcome, Waiting<T> waiting) throws BigtableException {
        return uninterrupted(() -> subject, outcome, waiting);
    }

    /** The same with a subject that is put into words only for the failure. */
    static <T> T uninterrupted(Supplier<String> subject, Outcome outcome, Waiting<T> waiting) throws BigtableException {
        try {
            return waiting.run();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            String advice = outcome == Outcome.UNKNOWN
                    ? ": what was asked may be done all the same: look before you ask again"
                    : ": ask again";
            throw new UnavailableException(subject.get() + ": interrupted while it waited" + advice, outcome)
                    .causedBy(interrupted);
        }
    }
}
