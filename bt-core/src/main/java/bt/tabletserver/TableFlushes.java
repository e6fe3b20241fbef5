package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.Clock;
import bt.base.UnavailableException;
import bt.protocol.Caller;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
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
 * there are tablets, so a read thread does it, in the turn of whichever host that asks has one first. What nobody waits for any
 * more is not begun. Any thread.
 */
final class TableFlushes {
    private final TabletSet tablets;
    private final Flushing flushing;
    private final Pools pools;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Those of which one is under way, or for which hosts have a place in line. */
    @GuardedBy("lock") private final Map<Long, AskedTable> asked = new HashMap<>();

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

    /** Under the lock, but for what becomes of those who wait. */
    private static final class AskedTable {
        private Queue<Asker> waiting = new ConcurrentLinkedQueue<>();

        private boolean isUnderWay;

        /** The hosts of which one place among their reads is its own: the first that has its turn begins the next. */
        private final Set<String> inLine = new HashSet<>();
    }

    /**
     * Completes when all that is in memory now of the table's tablets here is in files; OVERLOADED when too much of this host waits for
     * a read thread, UNAVAILABLE when too much waits to be flushed.
     */
    CompletableFuture<Void> flush(Caller caller, long tableId) {
        Asker asker = new Asker(caller, new CompletableFuture<>());
        if (add(tableId, asker)) {
            standInLine(tableId, caller.host());
        }
        return asker.answer;
    }

    /** True when its host is to have a place now. */
    private boolean add(long tableId, Asker asker) {
        lock.lock();
        try {
            AskedTable table = asked.computeIfAbsent(tableId, id -> new AskedTable());
            table.waiting.add(asker);
            return !table.isUnderWay && table.inLine.add(asker.caller.host());
        } finally {
            lock.unlock();
        }
    }

    /** Who has no place for it left alone is refused. */
    private void standInLine(long tableId, String host) {
        try {
            pools.reads(tableId).execute(host, () -> begin(tableId, host));
        } catch (RejectedExecutionException full) {
            refuse(tableId, host);
        }
    }

    private void refuse(long tableId, String host) {
        List<Asker> refused = new ArrayList<>();
        lock.lock();
        try {
            AskedTable table = left(tableId, host);
            table.waiting.removeIf(asker -> asker.caller.isFrom(host) && refused.add(asker));
            forgetIfIdle(tableId, table);
        } finally {
            lock.unlock();
        }
        refused.forEach(asker -> asker.answer.completeExceptionally(Reads.tooMany()));
    }

    /** The host has its turn: nothing is left to do where another had it first. */
    private void begin(long tableId, String host) {
        Optional<TableFlush> next = next(tableId, host);
        if (next.isPresent()) {
            TableFlush flush = next.get();
            try {
                flush.begin(host);
            } catch (RuntimeException | Error bug) {
                flush.failed(bug);
                throw bug;
            } finally {
                flush.ended();
            }
        }
    }

    /** Who asks from now on waits for the one after it. */
    private Optional<TableFlush> next(long tableId, String host) {
        lock.lock();
        try {
            AskedTable table = left(tableId, host);
            if (table.isUnderWay || table.waiting.isEmpty()) {
                forgetIfIdle(tableId, table);
                return Optional.empty();
            }
            TableFlush next = new TableFlush(tableId, table.waiting);
            table.waiting = new ConcurrentLinkedQueue<>();
            table.isUnderWay = true;
            return Optional.of(next);
        } finally {
            lock.unlock();
        }
    }

    /** None is under way any more: the next, where somebody waits for it. */
    private void goOn(long tableId) {
        List<String> hosts = new ArrayList<>();
        lock.lock();
        try {
            AskedTable table = requireNonNull(asked.get(tableId));
            table.isUnderWay = false;
            for (Asker asker : table.waiting) {
                if (table.inLine.add(asker.caller.host())) {
                    hosts.add(asker.caller.host());
                }
            }
            forgetIfIdle(tableId, table);
        } finally {
            lock.unlock();
        }
        hosts.forEach(host -> standInLine(tableId, host));
    }

    @GuardedBy("lock") private AskedTable left(long tableId, String host) {
        // None where its place was refused while the server ends, and its turn comes all the same.
        AskedTable table = asked.getOrDefault(tableId, new AskedTable());
        table.inLine.remove(host);
        return table;
    }

    @GuardedBy("lock") private void forgetIfIdle(long tableId, AskedTable table) {
        if (!table.isUnderWay && table.waiting.isEmpty() && table.inLine.isEmpty()) {
            asked.remove(tableId);
        }
    }

    /** For the next. */
    private Queue<Asker> waiting(long tableId) {
        lock.lock();
        try {
            AskedTable table = asked.get(tableId);
            return table == null ? new ConcurrentLinkedQueue<>() : table.waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Whoever is gone is forgotten. */
    private boolean isAnyoneThere(Queue<Asker> askers) {
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

        void begin(String whose) {
            if (!isWanted()) {
                return;
            }
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

        /** By those who asked again too, when what they asked first took too long: the next has so much less to do. */
        private boolean isWanted() {
            return isAnyoneThere(askers) || isAnyoneThere(waiting(tableId));
        }

        void failed(Throwable why) {
            failure.compareAndSet(null, why);
        }

        void ended() {
            if (left.decrementAndGet() == 0) {
                answer(failure.get());
                goOn(tableId);
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
