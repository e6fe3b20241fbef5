package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.metadata.TabletPlace;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.FilterSize;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Condition;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.RowAssembler;
import bt.protocol.WriteId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Table} does, without waiting: every method returns at once, and its future has the value that the same
 * method of a table returns, or fails with the exception that it throws, after the same retries. Any thread. The paper
 * has no such thing.
 *
 * <p>At most a thousand calls are under way in a client, of 64 MiB of requests and answers, where a read counts as 64 KiB
 * until its first page has come; one more fails at once, OVERLOADED. What is larger than a page is read while there is room
 * for it: each page behind the first, and what a transaction writes, waits for that, as long as an operation may take, and
 * is OVERLOADED then; one call at a time goes on in any case. What a scan asks for ahead counts likewise ({@link AsyncScanner}). Two calls that are under way at the same time are in
 * no order, not of one row either. Futures are completed by a few threads of the client, so what hangs on them should not
 * wait; when the client is closed, those that are not complete fail: UNAVAILABLE and of unknown outcome what a server may apply, all else REJECTED as what is asked later. To cancel a future, or to complete it after
 * a time, ends nothing but the waiting: a write may be applied all the same, and the call is under way until it has ended.
 */
public final class AsyncTable {
    /** What a read is asked to answer at once: larger rows are read by a worker, page after page. */
    static final int ANSWER_BYTES = AsyncCalls.ANSWER_BYTES;

    private static final PageBounds ANSWER =
            new PageBounds(PageBounds.DEFAULT.rows(), PageBounds.DEFAULT.cells(), ANSWER_BYTES);

    private final Session session;
    private final Table table;
    private final AsyncCalls calls;

    AsyncTable(Session session, Table table, AsyncCalls calls) {
        this.session = session;
        this.table = table;
        this.calls = calls;
    }

    /** As it was when the table was opened. */
    public TableSchema schema() {
        return table.schema();
    }

    /** {@link Table#apply(RowMutation)}. */
    public CompletableFuture<Long> apply(RowMutation mutation) {
        return write(mutation, Optional.empty());
    }

    /** {@link Table#apply(ConditionalMutation)}. */
    public CompletableFuture<Boolean> apply(ConditionalMutation mutation) {
        PredicatedWrite write = PredicatedWrite.of(mutation);
        return write(write.mutation(), Optional.of(write.condition())).thenApply(answer -> answer != 0);
    }

    /** {@link Table#applyAll}. */
    public CompletableFuture<List<Written>> applyAll(List<RowMutation> mutations) {
        List<RowMutation> all = List.copyOf(mutations);
        return calls.run(
                this::subject, all.stream().mapToLong(PendingWrite::bytes).sum(), () -> table.applyAll(all));
    }

    /** {@link Table#increment}. */
    public CompletableFuture<Long> increment(Bytes row, ColumnKey column, long amount) {
        return apply(RowMutation.of(row).increment(column, amount).build());
    }

    /** {@link Table#append}. */
    public CompletableFuture<Long> append(Bytes row, ColumnKey column, Bytes more) {
        return apply(RowMutation.of(row).append(column, more).build());
    }

    /** {@link Table#modify}. */
    public CompletableFuture<Map<ColumnKey, Bytes>> modify(RowMutation mutation) {
        return calls.read(
                () -> table.subject(mutation.row()),
                PendingWrite.bytes(mutation),
                room -> table.modify(mutation, room));
    }

    /** {@link Table#transact}; the transaction runs on a thread of the client. */
    public <T> CompletableFuture<T> transact(Bytes row, RowTransaction<T> transaction) {
        return calls.read(() -> table.subject(row), row.length(), room -> table.transact(row, transaction, room));
    }

    /** {@link Table#read(Bytes)}. */
    public CompletableFuture<Optional<Row>> read(Bytes row) {
        return read(row, Filter.ALL);
    }

    /** {@link Table#read(Bytes, Filter)}. */
    public CompletableFuture<Optional<Row>> read(Bytes row, Filter filter) {
        AsyncCall<Optional<Row>> call =
                calls.begin(() -> table.subject(row), row.length() + filterBytes(filter) + ANSWER_BYTES);
        if (!call.isDone()) {
            calls.start(call, () -> begin(call, row, filter));
        }
        return call.told();
    }

    private void begin(AsyncCall<Optional<Row>> call, Bytes row, Filter filter) {
        // All attempts and pauses are its, however long the call waits for a thread.
        Deadline deadline = session.deadline();
        Optional<TabletPlace> place = session.locator().cached(schema().id(), row);
        if (place.isEmpty()) {
            calls.finish(call, () -> table.read(row, filter, calls.pages(call), deadline));
            return;
        }
        Request.Scan request = new Request.Scan(schema().id(), RowRange.row(row), filter, ANSWER, Optional.empty());
        CompletableFuture<Answer> sent = session.rowCalls().send(place.get().address(), request, deadline);
        CompletableFuture<?> unused = sent.whenComplete((answer, failure) -> {
            hold(call, answer);
            calls.tell(call, () -> tellRow(call, row, filter, new Asked(place.get(), sent, deadline)));
        });
    }

    private static long filterBytes(Filter filter) {
        return FilterSize.of(filter).bytes();
    }

    /** What came is counted from here on in the place of what was thought to come; of a failure that comes still. */
    private void hold(AsyncCall<?> call, @Nullable Answer answer) {
        if (answer instanceof Answer.Page page) {
            calls.hold(call, page.bytes() - ANSWER_BYTES);
        }
    }

    /** What was asked of a server, which has answered or failed, and until when all is to be over. */
    private record Asked(TabletPlace place, CompletableFuture<Answer> answer, Deadline deadline) {}

    /** The row, if the answer has it whole, else from the beginning. */
    private void tellRow(AsyncCall<Optional<Row>> call, Bytes row, Filter filter, Asked first)
            throws BigtableException {
        long pauseMillis = 0;
        PageRoom room = calls.pages(call);
        try {
            Answer.Page page =
                    Session.uninterrupted(() -> "row " + row.brief(), Outcome.NOT_APPLIED, () -> session.rowCalls()
                            .await(first.place().address(), first.answer(), Answer.Page.class, first.deadline()));
            if (page.resume().isEmpty()) {
                call.complete(new RowAssembler().rows(page).stream().findFirst());
                return;
            }
            // It is read again from its beginning, when there is room for that.
            calls.hold(call, -page.bytes());
            room = calls.laterPages(call);
        } catch (UnavailableException stale) {
            session.locator().forget(first.place());
            pauseMillis = pauseAfter(stale, first.deadline());
        } catch (OverloadedException busy) {
            pauseMillis = pauseAfter(busy, first.deadline());
        }
        PageRoom pages = room;
        calls.finishAfter(pauseMillis, call, () -> table.read(row, filter, pages, first.deadline()));
    }

    /** Behind the first attempt, as behind those of who waits; no longer than there is time. */
    private long pauseAfter(BigtableException failed, Deadline deadline) {
        return Math.min(session.retry().pauseAfter(1, failed), deadline.leftMillis());
    }

    /** {@link Table#readAll(List)}. */
    public CompletableFuture<List<Optional<Row>>> readAll(List<Bytes> rows) {
        return readAll(rows, Filter.ALL);
    }

    /** {@link Table#readAll(List, Filter)}. */
    public CompletableFuture<List<Optional<Row>>> readAll(List<Bytes> rows, Filter filter) {
        List<Bytes> keys = List.copyOf(rows);
        long bytes = keys.stream().mapToLong(Bytes::length).sum() + filterBytes(filter);
        return calls.read(this::subject, bytes, room -> table.readAll(keys, filter, room));
    }

    /** {@link Table#exists}. */
    public CompletableFuture<Boolean> exists(Bytes row) {
        return read(row, Table.ONE_KEY).thenApply(Optional::isPresent);
    }

    /** Rows in the order of the scan, some at a time. */
    public AsyncScanner<Row> scan(Scan scan) {
        return new AsyncScanner<>(calls, this::subject, table.scan(scan)::some);
    }

    /** Cells in the order of the scan, some at a time, of rows that may be larger than memory. */
    public AsyncScanner<Cell> cells(Scan scan) {
        return new AsyncScanner<>(calls, this::subject, table.cells(scan)::some);
    }

    /** {@link Table#cellPage}. */
    public CompletableFuture<CellPage> cellPage(Scan scan, Optional<CellPosition> from) {
        return calls.read(this::subject, filterBytes(scan.filter()), room -> table.cellPage(scan, from, room));
    }

    /** {@link Table#tablets}. */
    public CompletableFuture<List<TabletInfo>> tablets() {
        return calls.run(this::subject, table::tablets);
    }

    /** {@link Table#weighedTablets}. */
    public CompletableFuture<List<TabletInfo>> weighedTablets() {
        return calls.run(this::subject, table::weighedTablets);
    }

    private String subject() {
        return "table " + schema().name();
    }

    private CompletableFuture<Long> write(RowMutation mutation, Optional<Condition> condition) {
        PendingWrite write = new PendingWrite(mutation, condition);
        AsyncCall<Long> call = calls.begin(() -> table.subject(write.row()), write.bytes());
        if (!call.isDone()) {
            calls.start(call, () -> begin(call, write));
        }
        return call.told();
    }

    private void begin(AsyncCall<Long> call, PendingWrite write) throws OverloadedException {
        Optional<WriteId> id = session.numbers().tryOpen();
        if (id.isEmpty()) {
            // No worker waits for one: the write that holds the others up may need that worker to end.
            throw session.tooFarAhead(table.subject(write.row()));
        }
        CompletableFuture<?> unusedEnd =
                call.whenComplete((answer, failure) -> session.numbers().close(id.get()));
        send(call, write.numbered(id.get()));
    }

    private void send(AsyncCall<Long> call, PendingWrite write) {
        // From here on, however long the call waits for a thread: later nobody remembers what was sent.
        Deadline deadline = session.deadline();
        Optional<TabletPlace> place = session.locator().cached(schema().id(), write.row());
        if (place.isEmpty() || !table.isWritable()) {
            calls.finish(call, () -> table.finish(write, deadline));
            return;
        }
        if (!call.is(AsyncCall.Stage.SENT)) {
            return;
        }
        Request.Mutate request = new Request.Mutate(schema().id(), List.of(write.write()));
        CompletableFuture<Answer> sent = session.rowCalls().send(place.get().address(), request, deadline);
        Writes.Begun first = new Writes.Begun(place.get(), request, sent);
        CompletableFuture<?> unused =
                sent.whenComplete((answer, failure) -> calls.tell(call, () -> tellWrite(call, write, first, deadline)));
    }

    /** What the write was answered, or it is tried again. */
    private void tellWrite(AsyncCall<Long> call, PendingWrite write, Writes.Begun first, Deadline deadline)
            throws BigtableException {
        if (table.settle(write, first)) {
            call.complete(write.answer());
        } else {
            if (!write.isInDoubt()) {
                boolean unused = call.is(AsyncCall.Stage.UNSENT);
            }
            long pauseMillis = pauseAfter(write.lastFailure(), deadline);
            calls.finishAfter(pauseMillis, call, () -> table.finish(write, deadline));
        }
    }
}
