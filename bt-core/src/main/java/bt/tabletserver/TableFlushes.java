package bt.tabletserver;

import bt.base.Clock;
import bt.base.UnavailableException;
import bt.protocol.Caller;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Flushes of tables for those who wait for them. Of a table one is under way at a time, and all who ask meanwhile wait for the next
 * together: a tablet waits for no more than one of them, however often they ask. To go through a table's tablets takes as long as
 * there are tablets, so a read thread does it, in the turn of a host that asks. What nobody waits for any more is not begun. Any
 * thread.
 */
final class TableFlushes {
    private final TabletSet tablets;
    private final Flushing flushing;
    private final Pools pools;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Of the tables of which one is under way, or about to be: who waits for the next. */
    @GuardedBy("lock") private final Map<Long, Queue<Asker>> waiting = new HashMap<>();

    TableFlushes(TabletSet tablets, Flushing flushing, Pools pools, Clock clock) {
        this.tablets = tablets;
        this.flushing = flushing;
        this.pools = pools;
        this.clock = clock;
    }

    /** How a tablet is flushed, in the turn of whoever it is for. */
    @FunctionalInterface
    interface Flushing {
        CompletableFuture<Void> begin(HostedTablet hosted, String whose, BooleanSupplier isWanted);
    }

    /**
     * Completes when all that is in memory now of the table's tablets here is in files; OVERLOADED when too much of this host waits for
     * a read thread, UNAVAILABLE when too much waits to be flushed.
     */
    CompletableFuture<Void> flush(Caller caller, long tableId) {
        Asker asker = new Asker(caller, new CompletableFuture<>());
        if (add(tableId, asker)) {
            start(tableId);
        }
        return asker.answer;
    }

    /** True when none is under way. */
    private boolean add(long tableId, Asker asker) {
        lock.lock();
        try {
            boolean isIdle = !waiting.containsKey(tableId);
            waiting.computeIfAbsent(tableId, id -> new ConcurrentLinkedQueue<>())
                    .add(asker);
            return isIdle;
        } finally {
            lock.unlock();
        }
    }

    /** None is under way: the next, where somebody waits for it. Who has no place for it left alone is refused. */
    private void start(long tableId) {
        for (Optional<Asker> first = first(tableId); first.isPresent(); first = first(tableId)) {
            try {
                pools.reads(tableId).execute(first.get().caller.host(), () -> begin(tableId));
                return;
            } catch (RejectedExecutionException full) {
                refuse(tableId, first.get());
            }
        }
    }

    private Optional<Asker> first(long tableId) {
        lock.lock();
        try {
            Queue<Asker> askers = waiting.get(tableId);
            Optional<Asker> first = askers == null ? Optional.empty() : Optional.ofNullable(askers.peek());
            if (first.isEmpty()) {
                waiting.remove(tableId);
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    private void refuse(long tableId, Asker asker) {
        lock.lock();
        try {
            Queue<Asker> askers = waiting.get(tableId);
            if (askers != null) {
                askers.remove(asker);
            }
        } finally {
            lock.unlock();
        }
        asker.answer.completeExceptionally(Reads.tooMany());
    }

    /** Who asks from now on waits for the next. */
    private void begin(long tableId) {
        TableFlush flush = new TableFlush(tableId, take(tableId));
        try {
            flush.begin();
        } catch (RuntimeException | Error bug) {
            flush.failed(bug);
            throw bug;
        } finally {
            flush.ended();
        }
    }

    private Queue<Asker> take(long tableId) {
        lock.lock();
        try {
            Queue<Asker> askers = waiting.put(tableId, new ConcurrentLinkedQueue<>());
            return askers == null ? new ConcurrentLinkedQueue<>() : askers;
        } finally {
            lock.unlock();
        }
    }

    private List<HostedTablet> hosted(long tableId) {
        return tablets.of(tableId).flatMap(holding -> holding.tablet().stream()).toList();
    }

    private final class TableFlush {
        private final long tableId;
        private final Queue<Asker> askers;

        /** Of its tablets, and one more until all of them have begun. */
        private final AtomicInteger left = new AtomicInteger(1);

        /** The first. */
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        TableFlush(long tableId, Queue<Asker> askers) {
            this.tableId = tableId;
            this.askers = askers;
        }

        void begin() {
            Asker first = askers.peek();
            if (first == null || !isWanted()) {
                return;
            }
            String whose = first.caller.host();
            for (HostedTablet hosted : hosted(tableId)) {
                left.incrementAndGet();
                // No exception for each of the tablets, where all are refused.
                CompletableFuture<?> unused = flushing.begin(hosted, whose, this::isWanted)
                        .handle((done, failed) -> {
                            if (failed != null) {
                                failed(failed);
                            }
                            ended();
                            return true;
                        });
            }
        }

        /** Whoever is gone is forgotten. */
        private boolean isWanted() {
            for (Asker first = askers.peek(); first != null; first = askers.peek()) {
                Optional<UnavailableException> over = first.caller.whyOver(clock.nanos());
                if (over.isEmpty()) {
                    return true;
                }
                first.answer.completeExceptionally(over.get());
                askers.remove(first);
            }
            return false;
        }

        void failed(Throwable why) {
            failure.compareAndSet(null, why);
        }

        void ended() {
            if (left.decrementAndGet() == 0) {
                answer(failure.get());
                start(tableId);
            }
        }

        private void answer(@Nullable Throwable failed) {
            for (Asker asker = askers.poll(); asker != null; asker = askers.poll()) {
                if (failed == null) {
                    asker.answer.complete(null);
                } else {
                    asker.answer.completeExceptionally(failed);
                }
            }
        }
    }

    /** One who waits, and for what. */
    private record Asker(Caller caller, CompletableFuture<Void> answer) {}
}
