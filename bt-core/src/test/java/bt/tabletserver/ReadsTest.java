package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Failures;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Regex;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.model.UncompiledRegex;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.RequestTrace;
import bt.rpc.RpcNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of reads that nobody waits for any more, over real sockets. */
class ReadsTest {
    private static final int PIECES = 10;

    private ServedTablet served;
    private RpcNetwork mine;
    private RpcNetwork others;

    @BeforeEach
    void open() throws Exception {
        served = new ServedTablet();
        mine = served.client();
        others = served.client();
    }

    @AfterEach
    void close() throws Exception {
        mine.close();
        others.close();
        served.close();
    }

    /** Each part of such a filter goes through all of them before anything is read, which no step tells. */
    @Test
    void aFilterOfRangesIsForAReadThreadWhereATableHasManyFamilies() {
        Filter within = new Filter.Within(Filter.Part.FAMILY, ByteRange.ALL);
        for (Filter filter : List.of(within, new Filter.Chain(Collections.nCopies(9, within)))) {
            assertThat(Reads.mayBeShort(ofOneRow(filter), families(100))).isTrue();
            assertThat(Reads.mayBeShort(ofOneRow(filter), families(101))).isFalse();
        }
        for (Filter filter : List.of(Filter.ALL, new Filter.Families(List.of("f1")))) {
            assertThat(Reads.mayBeShort(ofOneRow(filter), families(101))).isTrue();
        }
    }

    private static Request.Scan ofOneRow(Filter filter) {
        PageBounds bounds = new PageBounds(100, 100, 1 << 10);
        return new Request.Scan(4, RowRange.row(Bytes.utf8("r")), filter, bounds, Optional.empty());
    }

    private static TableSchema families(int count) {
        TableSchema.Builder draft = TableSchema.draft("t");
        for (int i = 0; i < count; i++) {
            draft.family("f" + i, GcRule.KEEP_ALL);
        }
        return draft.build();
    }

    @Test
    void aScanGoesThroughAllFiles() throws Exception {
        long before = served.diskReads.get();
        Answer.Page page = page(served.send(mine, ServedTablet.scan(RowRange.ALL)));
        assertThat(page.cells()).hasSize(ServedTablet.ROWS + 1);
        assertThat(served.diskReads.get() - before).isGreaterThan(5);
    }

    /** By what it looks at, as requests of a row do that look at as much. */
    @Test
    void aPageOfManyRowsWeighsAsManyRequests() throws Exception {
        assertThat(page(served.send(mine, ServedTablet.get(7))).cells()).hasSize(1);
        assertThat(served.requestsPerMinute(1)).isLessThanOrEqualTo(1);
        assertThat(page(served.send(mine, ServedTablet.scan(RowRange.ALL))).cells())
                .hasSize(ServedTablet.ROWS + 1);
        // A step for each 256 bytes, a hundred of them for a request; and the last minute alone does not say all.
        long weight = ServedTablet.ROWS * (long) ServedTablet.VALUE_BYTES / 256 / 100;
        assertThat(served.requestsPerMinute(2)).isBetween(weight / 4, weight);
    }

    @Test
    void theTraceOfAReadSaysWhetherItsBlocksCameFromAFileOrFromTheCache() throws Exception {
        assertThat(page(served.send(mine, ServedTablet.get(7))).cells()).hasSize(1);
        RequestTrace first = gets(1).get(0);
        assertThat(first.getBlocksRead()).isPositive();
        assertThat(first.getBytesRead()).isGreaterThan(ServedTablet.VALUE_BYTES);

        assertThat(page(served.send(mine, ServedTablet.get(7))).cells()).hasSize(1);
        RequestTrace second = gets(2).stream()
                .filter(trace -> !trace.equals(first))
                .findFirst()
                .orElseThrow();
        assertThat(second.getBlocksRead()).isZero();
        assertThat(second.getBytesRead()).isZero();
        assertThat(second.getBlocksFound() + second.getEntriesFound()).isPositive();

        served.write(ServedTablet.row(7), Bytes.utf8("newer"));
        assertThat(page(served.send(mine, ServedTablet.get(7))).cells()).hasSize(2);
        assertThat(gets(3))
                .as("and how many memtables it looked into")
                .anyMatch(trace -> trace.getMemtables() > first.getMemtables());
    }

    /** The traces of all gets until here: the last is kept when its answer may already be here. */
    private List<RequestTrace> gets(int count) {
        return await().until(() -> served.traces.slowest(10, Optional.of("get")), traces -> traces.size() == count);
    }

    @Test
    void theScanOfAClientThatGoesStops() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        CompletableFuture<Answer> unused = served.send(others, ServedTablet.scan(RowRange.ALL));
        await().until(() -> served.diskReads.get() > before);
        others.close();
        awaitClosed();
        served.gate.complete(null);
        served.awaitIdle();
        assertThat(served.diskReads.get()).isEqualTo(before + 1);
    }

    @Test
    void aReadThatEndsWithAnErrorKeepsNobodyWaiting() throws Exception {
        served.bug = new StackOverflowError("planted");
        CompletableFuture<Answer> asked = served.send(mine, ServedTablet.get(7));
        assertThat(failure(asked)).isInstanceOf(UnavailableException.class).hasMessageContaining("connection was lost");
        served.bug = null;
        assertThat(page(served.send(others, ServedTablet.get(7))).cells()).hasSize(1);
    }

    @Test
    void theRequestsOfAClientThatGoesAreDropped() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Answer> unused = served.send(others, ServedTablet.get(i * PIECES));
        }
        await().until(() -> served.diskReads.get() == before + ServedTablet.READERS);
        others.close();
        awaitClosed();
        served.gate.complete(null);
        served.awaitIdle();
        assertThat(served.diskReads.get()).isEqualTo(before + ServedTablet.READERS);
        assertThat(page(served.send(mine, ServedTablet.get(7))).cells()).hasSize(1);
    }

    @Test
    void aReadWhoseDeadlineIsPastIsNotBegun() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        List<CompletableFuture<Answer>> running = new ArrayList<>();
        for (int i = 0; i < ServedTablet.READERS; i++) {
            running.add(served.send(mine, ServedTablet.get(i * PIECES)));
        }
        await().until(() -> served.diskReads.get() == before + ServedTablet.READERS);
        Request late = ServedTablet.get(100);
        CompletableFuture<Answer> waiting = mine.send(served.address(), late, 50);
        // What comes behind it on the connection is answered, so it is there too.
        assertThat(page(served.send(mine, ServedTablet.get(1_000_000))).cells()).isEmpty();
        awaitMillis(60);
        assertThat(failure(waiting)).isInstanceOf(UnavailableException.class);
        served.gate.complete(null);
        for (CompletableFuture<Answer> each : running) {
            assertThat(page(each).cells()).hasSize(1);
        }
        served.awaitIdle();
        assertThat(served.diskReads.get()).isEqualTo(before + ServedTablet.READERS);
    }

    /** As of the sizes of a table's files. */
    @Test
    void whatTakesAsLongAsAReadIsNotBegunForWhoeverIsGone() throws Exception {
        Answer answer = new Answer.Control(new Done());
        AtomicInteger begun = new AtomicInteger();
        Supplier<Answer> work = () -> {
            begun.incrementAndGet();
            return answer;
        };
        long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        CompletableFuture<Answer> gone =
                served.reads.run(new Caller("ada", "host:1", deadline, () -> true), ServedTablet.TABLE, work);
        assertThat(failure(gone)).isInstanceOf(UnavailableException.class).hasMessageContaining("gone");
        assertThat(begun).hasValue(0);
        CompletableFuture<Answer> stays =
                served.reads.run(new Caller("ada", "host:1", deadline), ServedTablet.TABLE, work);
        assertThat(stays.get(60, TimeUnit.SECONDS)).isEqualTo(answer);
    }

    @Test
    void aScanStopsAtItsDeadline() throws Exception {
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        CompletableFuture<Answer> late = mine.send(served.address(), ServedTablet.scan(RowRange.ALL), 1_000);
        await().until(() -> served.diskReads.get() > before);
        awaitMillis(1_010);
        assertThat(failure(late)).isInstanceOf(UnavailableException.class);
        served.gate.complete(null);
        served.awaitIdle();
        assertThat(served.diskReads.get()).isEqualTo(before + 1);
    }

    /** Of one value: on its own it takes minutes. */
    @Test
    void aRegularExpressionStopsAtItsDeadline() throws Exception {
        Bytes large = Bytes.utf8("large");
        served.write(large, Bytes.utf8("a".repeat(8 << 20)));
        // It takes part in what is slow the first time.
        assertThat(page(served.send(mine, regex(ServedTablet.SMALL, "([^x]*a?){150}c")))
                        .cells())
                .isEmpty();
        CompletableFuture<Answer> late = mine.send(served.address(), regex(large, "([^x]*a?){150}c"), 2_000);
        assertThat(failure(late)).isInstanceOf(UnavailableException.class);
        long begun = System.nanoTime();
        served.awaitIdle();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    /** Its deadline is far, and no later attempt would get farther. */
    @Test
    void aRegularExpressionThatTakesTooLongForAPageIsRejected() throws Exception {
        Bytes large = Bytes.utf8("large");
        served.write(large, Bytes.utf8("a".repeat(8 << 20)));
        Request asked = regex(large, "([^x]*a?){150}c");
        assertThat(failure(mine.send(served.address(), asked, 300_000)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("regular expression ([^x]*a?){150}c")
                .hasMessageContaining("5000 ms");
    }

    /** Where it is run: ten of the largest take milliseconds, and thousands of requests may come in one turn of an event loop. */
    @Test
    void noEventLoopCompilesARegularExpression() throws Exception {
        Filter malformed =
                new Filter.Matches(Filter.Part.VALUE, UncompiledRegex.of("a(b").later());
        assertThat(failure(
                        mine.send(served.address(), scan(ServedTablet.TABLE, ServedTablet.SMALL, malformed), 10_000)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("regular expression a(b: missing closing )");
        // Nobody runs it: nobody sees what is wrong.
        long elsewhere = ServedTablet.TABLE + 1;
        assertThat(failure(mine.send(served.address(), scan(elsewhere, ServedTablet.SMALL, malformed), 10_000)))
                .isInstanceOf(UnavailableException.class);
    }

    private static Request regex(Bytes row, String regex) {
        return scan(ServedTablet.TABLE, row, new Filter.Matches(Filter.Part.VALUE, Regex.of(regex)));
    }

    private static Request scan(long table, Bytes row, Filter filter) {
        return new Request.Scan(table, RowWalk.over(RowRange.row(row)), filter, PageBounds.DEFAULT, Optional.empty());
    }

    /** Of rows by their keys, each of which is a read from a slow disk: together they take more than two seconds. */
    @Test
    void aPageEndsAfterASecondAndTheNextGoesOn() throws Exception {
        served.diskMillis = 60;
        List<Bytes> rows = new ArrayList<>();
        for (int i = 0; i < ServedTablet.ROWS; i += PIECES) {
            rows.add(ServedTablet.row(i));
        }
        RowWalk rest = new RowWalk(RowSet.rows(rows), false);
        List<Bytes> found = new ArrayList<>();
        int pages = 0;
        while (!rest.isEmpty()) {
            Answer.Page page = page(served.send(
                    mine,
                    new Request.Scan(
                            ServedTablet.TABLE,
                            rest,
                            Filter.ALL,
                            new PageBounds(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE),
                            Optional.empty())));
            assertThat(page.cells()).isNotEmpty().hasSizeLessThan(rows.size());
            page.cells().forEach(cell -> found.add(cell.row()));
            rest = page.next().map(rest::from).orElse(RowWalk.NONE);
            pages++;
        }
        assertThat(found).isEqualTo(rows);
        assertThat(pages).isGreaterThan(1);
    }

    /** Both read threads of this host stand still before the disk all the while. */
    @Test
    void whatIsInMemoryIsReadThoughEveryReadThreadWaitsForTheDisk() throws Exception {
        Request small = ServedTablet.scan(RowRange.row(ServedTablet.SMALL));
        assertThat(page(served.send(mine, small)).cells()).hasSize(1);
        served.write(ServedTablet.row(9), Bytes.utf8("newer"));
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        List<CompletableFuture<Answer>> running = new ArrayList<>();
        for (int i = 0; i < ServedTablet.READERS; i++) {
            running.add(served.send(others, ServedTablet.get(100 + i * PIECES)));
        }
        await().until(() -> served.diskReads.get() == before + ServedTablet.READERS);
        for (int i = 0; i < 1_000; i++) {
            // Of a block in the cache, from the scan cache later, and of no row at all.
            assertThat(page(served.send(mine, small)).cells()).hasSize(1);
            assertThat(page(served.send(mine, ServedTablet.get(1_000_000))).cells())
                    .isEmpty();
        }
        assertThat(running).noneMatch(CompletableFuture::isDone);
        assertThat(served.diskReads.get()).isEqualTo(before + ServedTablet.READERS);
        served.gate.complete(null);
        for (CompletableFuture<Answer> each : running) {
            assertThat(page(each).cells()).hasSize(1);
        }
    }

    @Test
    void aReadOnAnEventLoopLooksAtNoClockBesideTheOneThatSaidWhenItCame() throws Exception {
        Request small = ServedTablet.scan(RowRange.row(ServedTablet.SMALL));
        assertThat(page(served.send(mine, small)).cells()).hasSize(1);
        assertThat(served.looks).as("that one had to go to the file").hasPositiveValue();
        long before = served.looks.get();
        for (int i = 0; i < 100; i++) {
            assertThat(page(served.send(mine, small)).cells()).hasSize(1);
        }
        assertThat(served.looks).hasValue(before);
    }

    /** Hundreds of parts, each of which sees each cell, are milliseconds of a loop that others wait for; a few are nothing. */
    @Test
    void noEventLoopGoesThroughAFilterOfManyParts() throws Exception {
        assertThat(page(served.send(mine, latest(10))).cells()).hasSize(1);
        long before = served.looks.get();
        for (int i = 0; i < 100; i++) {
            assertThat(page(served.send(mine, latest(10))).cells()).hasSize(1);
        }
        assertThat(served.looks).hasValue(before);
        for (int i = 0; i < 100; i++) {
            assertThat(page(served.send(mine, latest(11))).cells()).hasSize(1);
        }
        assertThat(served.looks).as("on read threads").hasValueGreaterThanOrEqualTo(before + 100);
    }

    private static Request latest(int times) {
        return scan(
                ServedTablet.TABLE,
                ServedTablet.SMALL,
                new Filter.Chain(Collections.nCopies(times, new Filter.Latest(1))));
    }

    @Test
    void noEventLoopReadsAFile() throws Exception {
        for (int i = 0; i < ServedTablet.ROWS; i += 3) {
            assertThat(page(served.send(mine, ServedTablet.get(i))).cells()).hasSize(1);
        }
        assertThat(served.diskReaders).filteredOn(name -> name.contains("rpc")).isEmpty();
        assertThat(served.diskReaders).filteredOn(name -> name.contains("read")).isNotEmpty();
    }

    /** Both read threads of this host stand still, so whatever is answered was read on the event loop: a large row never is. */
    @Test
    void aLargeRowInMemoryIsNotReadOnAnEventLoop() throws Exception {
        Bytes large = Bytes.utf8("large");
        served.write(large, Bytes.wrap(new byte[1 << 20]));
        served.gate = new CompletableFuture<>();
        long before = served.diskReads.get();
        for (int i = 0; i < ServedTablet.READERS; i++) {
            CompletableFuture<Answer> unused = served.send(others, ServedTablet.get(100 + i * PIECES));
        }
        await().until(() -> served.diskReads.get() == before + ServedTablet.READERS);
        CompletableFuture<Answer> waiting = served.send(mine, ServedTablet.scan(RowRange.row(large)));
        assertThat(page(served.send(mine, ServedTablet.get(1_000_000))).cells()).isEmpty();
        assertThat(waiting).isNotDone();
        served.gate.complete(null);
        assertThat(page(waiting).cells().get(0).value().length()).isEqualTo(1 << 20);
    }

    @Test
    void whileThereIsNoLeaseRequestsWaitAndNoPages() throws Exception {
        try (RpcNetwork client = served.client()) {
            served.close();
            served = new ServedTablet(300);
            await().until(() -> !served.lease.isHeld());
            long before = served.diskReads.get();
            List<CompletableFuture<Answer>> waiting = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                waiting.add(served.send(client, ServedTablet.get(i)));
            }
            CompletableFuture<Answer> hasty = client.send(served.address(), ServedTablet.get(3), 100);
            assertThat(failure(hasty)).isInstanceOf(UnavailableException.class);
            served.awaitIdle();
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            assertThat(served.diskReads.get()).isEqualTo(before);
            served.renewLease();
            for (CompletableFuture<Answer> each : waiting) {
                assertThat(page(each).cells()).hasSize(1);
            }
            assertThat(served.answerers).noneMatch(thread -> thread.contains("lease"));
        } finally {
            served.lease.release();
        }
    }

    /** Nobody renews the lease, and all that the client sends are reads: the server says so to each in time, and is not left for its silence. */
    @Test
    void aServerWithoutALeaseIsNotSilent() throws Exception {
        served.close();
        served = new ServedTablet(300);
        await().until(() -> !served.lease.isHeld());
        SlowClock clock = new SlowClock(served.scheduler.clock());
        try (RpcNetwork client = RpcNetwork.open("ada", clock, 1)) {
            CompletableFuture<Answer> patient = client.send(served.address(), ServedTablet.get(1), 60_000);
            served.awaitIdle();
            clock.aheadNanos = TimeUnit.SECONDS.toNanos(11);
            CompletableFuture<Answer> hasty = client.send(served.address(), ServedTablet.get(2), 2_000);
            assertThat(failure(hasty))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("server has no lease to answer reads");
            CompletableFuture<Answer> next = client.send(served.address(), ServedTablet.get(3), 60_000);
            served.awaitIdle();
            assertThat(patient).isNotDone();
            served.renewLease();
            assertThat(page(patient).cells()).hasSize(1);
            assertThat(page(next).cells()).hasSize(1);
        } finally {
            served.lease.release();
        }
    }

    /** Half as fast, so that the time of a call is over for the server long before it is for its client; it can be put forward. */
    private static final class SlowClock implements Clock {
        private final Clock clock;
        private volatile long aheadNanos;

        SlowClock(Clock clock) {
            this.clock = clock;
        }

        @Override
        public long micros() {
            return clock.micros();
        }

        @Override
        public long nanos() {
            return clock.nanos() / 2 + aheadNanos;
        }
    }

    /** What must be done before a deadline that began to count earlier, is not any more. */
    private void awaitMillis(long millis) {
        long until = served.scheduler.clock().nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        await().until(() -> served.scheduler.clock().nanos() - until > 0);
    }

    private void awaitClosed() {
        await().atMost(Duration.ofSeconds(10)).until(() -> served.connections() == 0);
    }

    private static Answer.Page page(CompletableFuture<Answer> answer) throws Exception {
        return (Answer.Page) answer.get(90, TimeUnit.SECONDS);
    }

    private static Throwable failure(CompletableFuture<Answer> answer) throws Exception {
        return answer.handle((page, failure) -> Failures.unwrap(failure)).get(90, TimeUnit.SECONDS);
    }
}
