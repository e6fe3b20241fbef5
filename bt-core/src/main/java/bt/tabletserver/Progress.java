package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.StepWatch;
import bt.model.Filter;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.tablet.Page;
import bt.tablet.PageLimits;
import bt.tablet.ReadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a server still does its work: its commit threads are between two batches now and then, every event loop takes a
 * turn, and reads end, of which one is always the canary, a read of one row, however it ends, on a thread that no other read
 * keeps busy. Many reads that wait are no standstill, nor are as many that each take long as there are threads. A server that only keeps its session alive must not go on holding its lease.
 *
 * <p>Reads wait for the file store, and may do so in all servers at once: they stand still, no more is said. A commit
 * thread waits for nothing without looking each second whether it may go on, the log's writers being threads of their own,
 * and an event loop for nothing at all. So one that takes no step for six seconds hangs, whatever the file store and the
 * lock service do. Owned by the lease thread; it never waits.
 */
final class Progress {
    private static final Logger log = LoggerFactory.getLogger(Progress.class);

    private static final String COMMITS = "the commit threads";
    private static final String LOOPS = "the event loops";

    /** Looks come three times in a lease; they may come faster than whoever is looked at takes steps. */
    private static final int LOOKS = 3;

    private static final long HANGING_MILLIS = 6_000;

    private final Scheduler scheduler;
    private final CommitQueues queues;
    private final long withinNanos;
    private final List<Canary> canaries = new ArrayList<>();
    private final List<CommitWatch> commits;
    private final StepWatch loops;

    /** {@code turns} completes when every event loop had one. Whoever asks does so three times in {@code withinMillis}. */
    Progress(
            Scheduler scheduler,
            CommitQueues queues,
            Pools pools,
            TabletSet tablets,
            Supplier<CompletableFuture<Void>> turns,
            long withinMillis) {
        this.scheduler = scheduler;
        this.queues = queues;
        this.withinNanos = withinMillis * 1_000_000;
        int patience = (int) Math.max(LOOKS, (HANGING_MILLIS * LOOKS + withinMillis - 1) / withinMillis);
        this.commits = queues.all().stream()
                .map(queue -> new CommitWatch(queue, new StepWatch(queue::steps, patience)))
                .toList();
        Canary turn = new Canary(LOOPS, turns, Optional.empty());
        this.loops = new StepWatch(() -> turn.returns, patience);
        canaries.add(turn);
        canaries.add(reads("the read threads", pools.reads(TableSchema.METADATA_ID + 1), tablets, false));
        canaries.add(reads("the read threads of METADATA", pools.reads(TableSchema.METADATA_ID), tablets, true));
        canaries.add(reads(
                "the threads that evaluate writes of METADATA",
                pools.evaluations(TableSchema.METADATA_ID),
                tablets,
                true));
    }

    private Canary reads(String name, ReadPool pool, TabletSet tablets, boolean ofMetadata) {
        return new Canary(name, () -> read(pool, tablets, ofMetadata), Optional.of(pool));
    }

    /** What has not got on for a lease, of all that what hangs; sends the canaries that are back. */
    Optional<Standstill> look() {
        long now = scheduler.clock().nanos();
        List<Standstill> seen = new ArrayList<>();
        if (!queues.haveProgressed(now, withinNanos)) {
            seen.add(new Standstill(COMMITS, false));
        }
        for (Canary canary : canaries) {
            if (canary.isMissing(now, withinNanos) || canary.comesAlone(now)) {
                seen.add(new Standstill(canary.name, false));
            }
            canary.sendIfBack(now);
        }
        for (CommitWatch commit : commits) {
            if (commit.hangs()) {
                seen.add(new Standstill(COMMITS, true));
            }
        }
        if (loops.hangs()) {
            seen.add(new Standstill(LOOPS, true));
        }
        return seen.stream().filter(Standstill::hangs).findFirst().or(() -> seen.stream()
                .findFirst());
    }

    /** Of the first tablet of that kind; where there is none, only the pool is tried. */
    private static CompletableFuture<Void> read(ReadPool pool, TabletSet tablets, boolean ofMetadata) {
        CompletableFuture<Void> back = new CompletableFuture<>();
        Optional<HostedTablet> hosted = tablets.all().stream()
                .filter(holding -> (holding.id().tableId() == TableSchema.METADATA_ID) == ofMetadata)
                .flatMap(holding -> holding.tablet().stream())
                .findFirst();
        try {
            pool.execute(ReadTurns.OWN, () -> {
                try {
                    if (hosted.isPresent()) {
                        readOneRow(hosted.get());
                    }
                } catch (BigtableException | RuntimeException failed) {
                    log.debug("canary: {}", failed.getMessage());
                } finally {
                    back.complete(null);
                }
            });
        } catch (RejectedExecutionException full) {
            // Another is sent with the next look.
            back.completeExceptionally(full);
        }
        return back;
    }

    private static void readOneRow(HostedTablet hosted) throws BigtableException {
        RowRange range = hosted.tablet().range();
        Page unused = hosted.tablet().read(new ReadSpec(range, Filter.ALL, new PageLimits(1, 1, 1), Optional.empty()));
    }

    private record CommitWatch(CommitQueue queue, StepWatch steps) {
        /** A commit thread that has ended was told to. */
        private boolean hangs() {
            return steps.hangs() && !queue.hasEnded();
        }
    }

    /** Something that is sent, and is to come back. */
    private static final class Canary {
        private final String name;
        private final Supplier<CompletableFuture<Void>> send;
        private final Optional<ReadPool> pool;
        private CompletableFuture<Void> out = CompletableFuture.completedFuture(null);
        private long sentNanos;
        private long returns;

        private Canary(String name, Supplier<CompletableFuture<Void>> send, Optional<ReadPool> pool) {
            this.name = name;
            this.send = send;
            this.pool = pool;
        }

        /**
         * Whether it has been away for that long, and nothing else has come the same way since. When it was last back says
         * nothing: whoever looks may have been away for longer, waiting for the lock service.
         */
        private boolean isMissing(long now, long withinNanos) {
            long seen = pool.map(ReadPool::endedNanos).orElse(sentNanos);
            return !isBack() && now - sentNanos > withinNanos && now - seen > withinNanos;
        }

        /** Whether it comes back, and nothing else that goes the same way. */
        private boolean comesAlone(long now) {
            return pool.isPresent() && pool.get().standsStill(now);
        }

        /** One that found no room never left. */
        private boolean isBack() {
            return out.isDone() && !out.isCompletedExceptionally();
        }

        private void sendIfBack(long now) {
            if (isBack()) {
                sentNanos = now;
                returns++;
            }
            if (out.isDone()) {
                out = send.get();
            }
        }
    }
}
