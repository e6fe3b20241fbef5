package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.model.TableSchema.Durability;
import bt.model.TabletId;
import bt.protocol.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableFlushesTest {
    private static final long TABLE = 5;
    private static final int TABLETS = 20;
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Pools pools = new Pools(scheduler, TabletServerConfig.DEFAULT);
    private final TabletSet tablets = new TabletSet();
    private final ConcurrentLinkedQueue<Begun> begun = new ConcurrentLinkedQueue<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final TableFlushes flushes = new TableFlushes(tablets, this::begin, pools, scheduler.clock());

    private record Begun(String whose, BooleanSupplier isWanted, CompletableFuture<Void> work) {}

    @BeforeEach
    void serve() throws Exception {
        CommitFixture fixture = CommitFixture.of(1);
        for (int i = 0; i < TABLETS; i++) {
            TabletId id = new TabletId(TABLE, Optional.of(row(i + 1)));
            Optional<Bytes> previous = Optional.of(row(i));
            tablets.put(TabletSet.Holding.serving(
                    fixture.host.host(id, previous, Durability.SYNC, fixture.hosted.queue())));
        }
    }

    @AfterEach
    void close() {
        pools.close();
        scheduler.close();
    }

    private static Bytes row(int number) {
        return Bytes.utf8("r" + (100 + number));
    }

    private CompletableFuture<Void> begin(HostedTablet hosted, String whose, BooleanSupplier isWanted) {
        assertThat(hosted.id().tableId()).isEqualTo(TABLE);
        Begun one = new Begun(whose, isWanted, new CompletableFuture<>());
        threads.add(Thread.currentThread());
        begun.add(one);
        return one.work;
    }

    private Caller from(String host) {
        return from(host, new AtomicBoolean());
    }

    private Caller from(String host, AtomicBoolean gone) {
        return new Caller("ada", host + ":40000", scheduler.clock().nanos() + HOUR_NANOS, gone::get);
    }

    private static Throwable failure(CompletableFuture<Void> asked) {
        await().until(asked::isDone);
        assertThat(asked).isCompletedExceptionally();
        return asked.handle((done, failed) -> failed).join();
    }

    /** Soon: the thread that began the last of its tablets may have that to say still. */
    private static void assertDone(CompletableFuture<Void> asked) {
        assertThat(asked).succeedsWithin(Duration.ofMinutes(1));
    }

    /** All tablets of the table, and of one request. */
    private List<Begun> awaitAll() {
        await().until(() -> begun.size() >= TABLETS);
        List<Begun> all = List.copyOf(begun);
        assertThat(all).hasSize(TABLETS);
        begun.clear();
        return all;
    }

    /** Until nothing that has come before waits for a read thread of the host. */
    private void awaitReads(String host) throws InterruptedException {
        CountDownLatch here = new CountDownLatch(1);
        pools.reads(TABLE).execute(host, here::countDown);
        assertThat(here.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void howeverManyAskOneIsUnderWayAndOneWaitsAndNoneIsOnTheirThread() throws Exception {
        CompletableFuture<Void> first = flushes.flush(from("a"), TABLE);
        List<Begun> underWay = awaitAll();
        List<CompletableFuture<Void>> others = IntStream.range(0, 1_000)
                .mapToObj(i -> flushes.flush(from("host" + i % 3), TABLE))
                .toList();
        awaitReads("a");
        assertThat(begun).as("of one that waits").isEmpty();
        underWay.subList(1, TABLETS).forEach(one -> one.work.complete(null));
        assertThat(first).isNotDone();
        underWay.get(0).work.complete(null);
        assertDone(first);

        List<Begun> next = awaitAll();
        assertThat(others).noneMatch(CompletableFuture::isDone);
        String whose = next.get(0).whose();
        assertThat(whose).as("whichever had its turn first").isIn("host0", "host1", "host2");
        assertThat(next).extracting(Begun::whose).containsOnly(whose);
        next.forEach(one -> one.work.complete(null));
        others.forEach(TableFlushesTest::assertDone);
        awaitReads("host0");
        awaitReads("host1");
        awaitReads("host2");
        assertThat(begun).isEmpty();
        assertThat(threads).doesNotContain(Thread.currentThread());
        assertThat(threads).allMatch(thread -> thread.getName().startsWith("read"));
    }

    @Test
    void whatFailsOfATabletFailsForAllWhoWaitedAndForNobodyElse() {
        CompletableFuture<Void> first = flushes.flush(from("a"), TABLE);
        List<Begun> underWay = awaitAll();
        CompletableFuture<Void> second = flushes.flush(from("a"), TABLE);
        underWay.get(3).work.completeExceptionally(new UnavailableException("planted"));
        assertThat(first).as("until the others are done").isNotDone();
        underWay.forEach(one -> one.work.complete(null));
        assertThat(failure(first)).hasMessageContaining("planted");
        awaitAll().forEach(one -> one.work.complete(null));
        assertDone(second);
    }

    @Test
    void aTableOfWhichNoTabletIsHereIsDone() {
        CompletableFuture<Void> asked = flushes.flush(from("a"), TABLE + 1);
        await().until(asked::isDone);
        assertThat(asked).isCompleted();
        assertThat(begun).isEmpty();
    }

    @Test
    void whatNobodyWaitsForAnyMoreIsNotBegun() throws Exception {
        AtomicBoolean adaIsGone = new AtomicBoolean();
        AtomicBoolean bobIsGone = new AtomicBoolean();
        CompletableFuture<Void> earlier = flushes.flush(from("a"), TABLE);
        List<Begun> underWay = awaitAll();
        CompletableFuture<Void> adas = flushes.flush(from("a", adaIsGone), TABLE);
        CompletableFuture<Void> bobs = flushes.flush(from("b", bobIsGone), TABLE);
        underWay.forEach(one -> one.work.complete(null));
        assertDone(earlier);
        List<Begun> both = awaitAll();
        adaIsGone.set(true);
        assertThat(both).as("bob waits").allMatch(one -> one.isWanted.getAsBoolean());
        bobIsGone.set(true);
        assertThat(both).noneMatch(one -> one.isWanted.getAsBoolean());
        assertThat(failure(adas)).hasMessageContaining("gone");
        assertThat(failure(bobs)).hasMessageContaining("gone");

        CompletableFuture<Void> gone = flushes.flush(from("a", adaIsGone), TABLE);
        CompletableFuture<Void> late =
                flushes.flush(new Caller("ada", "a:1", scheduler.clock().nanos() - 1), TABLE);
        both.forEach(one -> one.work.complete(null));
        await().until(() -> gone.isDone() && late.isDone());
        assertThat(failure(late)).hasMessageContaining("deadline");
        awaitReads("a");
        assertThat(begun).isEmpty();
        CompletableFuture<Void> again = flushes.flush(from("a"), TABLE);
        awaitAll().forEach(one -> one.work.complete(null));
        assertDone(again);
    }

    /** The host of one has no place for it left; that of the other who waits for the same has. */
    @Test
    void whoseHostHasNoPlaceLeftIsRefusedAlone() throws Exception {
        CompletableFuture<Void> earlier = flushes.flush(from("a"), TABLE);
        List<Begun> underWay = awaitAll();
        CompletableFuture<Void> mallorys = flushes.flush(from("mallory"), TABLE);
        CompletableFuture<Void> adas = flushes.flush(from("ada"), TABLE);
        CountDownLatch end = new CountDownLatch(1);
        try {
            fill("mallory", end);
            underWay.forEach(one -> one.work.complete(null));
            assertDone(earlier);
            assertThat(failure(mallorys)).isInstanceOf(OverloadedException.class);
            awaitAll().forEach(one -> one.work.complete(null));
            assertDone(adas);
        } finally {
            end.countDown();
        }
    }

    /** Or who has nothing in line would wait behind all that the first who asked has there. */
    @Test
    void whicheverHostHasItsTurnFirstBeginsIt() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int i = 0; i < 100; i++) {
                hold("mallory", end);
            }
            CompletableFuture<Void> mallorys = flushes.flush(from("mallory"), TABLE);
            CompletableFuture<Void> adas = flushes.flush(from("ada"), TABLE);
            List<Begun> all = awaitAll();
            assertThat(all).extracting(Begun::whose).containsOnly("ada");
            all.forEach(one -> one.work.complete(null));
            assertDone(adas);
            assertDone(mallorys);

            // The place that is left in mallory's line does for what is asked for next.
            CompletableFuture<Void> next = flushes.flush(from("mallory"), TABLE);
            end.countDown();
            awaitAll().forEach(one -> one.work.complete(null));
            assertDone(next);
            awaitReads("mallory");
            assertThat(begun).isEmpty();
        } finally {
            end.countDown();
        }
    }

    /** What is left of the first has not to be done by the next. */
    @Test
    void whoAsksAgainWhenTheFirstAttemptIsOverGoesOn() {
        AtomicBoolean attemptIsOver = new AtomicBoolean();
        CompletableFuture<Void> first = flushes.flush(from("ada", attemptIsOver), TABLE);
        List<Begun> all = awaitAll();
        AtomicBoolean adaIsGone = new AtomicBoolean();
        CompletableFuture<Void> again = flushes.flush(from("ada", adaIsGone), TABLE);
        attemptIsOver.set(true);
        assertThat(all).allMatch(one -> one.isWanted.getAsBoolean());
        assertThat(failure(first)).hasMessageContaining("gone");
        adaIsGone.set(true);
        assertThat(all).noneMatch(one -> one.isWanted.getAsBoolean());
        assertThat(failure(again)).hasMessageContaining("gone");
    }

    private void fill(String host, CountDownLatch end) {
        CompletableFuture<Void> full = new CompletableFuture<>();
        while (!full.isDone()) {
            try {
                hold(host, end);
            } catch (RejectedExecutionException refused) {
                full.complete(null);
            }
        }
    }

    private void hold(String host, CountDownLatch end) {
        pools.reads(TABLE).execute(host, () -> {
            try {
                end.await();
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
