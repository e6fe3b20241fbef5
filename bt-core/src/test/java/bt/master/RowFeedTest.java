package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import bt.base.BigtableException.Outcome;
import bt.base.FencedException;
import bt.base.Scheduler.WorkerPool;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A hundred rows. */
class RowFeedTest {
    private static final int ROWS = 100;
    private static final long PATIENCE_MILLIS = 10_000;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final CompletableFuture<Void> begin = new CompletableFuture<>();

    /** One writer: what waits in its queue is in a known order. */
    private final WorkerPool writer = scheduler.pool("writer", 1, RowWrites.WRITERS + 1);

    private final RowFeed feed = new RowFeed(writer, told::incrementAndGet);

    @AfterEach
    void stop() {
        writer.close();
        scheduler.close();
    }

    @Test
    void whoWantsToWriteSomethingElseDoesNotWaitForAllOfThem() throws Exception {
        CompletableFuture<Integer> rows = feed.begin(() -> {
            begin.join();
            return Collections.nCopies(ROWS, written::incrementAndGet);
        });
        CompletableFuture<Integer> before = new CompletableFuture<>();
        writer.execute(() -> before.complete(written.get()));
        begin.complete(null);
        assertThat(scheduler.await(rows, PATIENCE_MILLIS)).isEqualTo(ROWS);
        assertThat(written).hasValue(ROWS);
        assertThat(scheduler.await(before, PATIENCE_MILLIS)).isLessThanOrEqualTo(RowWrites.WRITERS);
        await().until(() -> told.get() == 1);
    }

    @Test
    void noOtherIsBegunAfterOneThatIsNotTaken() {
        CompletableFuture<Integer> rows = feed.begin(() -> {
            List<RowWrites.Write> writes = new ArrayList<>(Collections.nCopies(ROWS, written::incrementAndGet));
            writes.set(3, () -> {
                throw new UnavailableException("a test", Outcome.UNKNOWN);
            });
            return writes;
        });
        assertThatThrownBy(() -> scheduler.await(rows, PATIENCE_MILLIS)).hasMessageContaining("a test");
        assertThat(written).hasValue(3);
        await().until(() -> told.get() == 1);
    }

    /** Two are under way when the first of them fails. */
    @Test
    void whoRulesNoMoreIsToldSoBeforeAllElse() throws Exception {
        WorkerPool two = scheduler.pool("two", 2, RowWrites.WRITERS);
        try {
            CompletableFuture<Void> failed = new CompletableFuture<>();
            CompletableFuture<Void> bothBegan = new CompletableFuture<>();
            CompletableFuture<Integer> rows = new RowFeed(two, told::incrementAndGet)
                    .begin(() -> List.of(
                            () -> {
                                bothBegan.join();
                                failed.complete(null);
                                throw new UnavailableException("a test", Outcome.UNKNOWN);
                            },
                            () -> {
                                bothBegan.complete(null);
                                failed.join();
                                scheduler.pause(100);
                                throw new FencedException("another rules");
                            }));
            assertThatThrownBy(() -> scheduler.await(rows, PATIENCE_MILLIS)).isInstanceOf(FencedException.class);
        } finally {
            two.close();
        }
    }

    @Test
    void ofNoneItIsDoneAtOnce() throws Exception {
        assertThat(scheduler.await(feed.begin(List::of), PATIENCE_MILLIS)).isZero();
    }
}
