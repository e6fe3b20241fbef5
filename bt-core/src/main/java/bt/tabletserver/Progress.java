package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.model.Filter;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.tablet.Page;
import bt.tablet.PageLimits;
import bt.tablet.ReadSpec;
import bt.tabletserver.Pools.ReadPool;
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
 * turn, and reads end, of which one is always the canary, a read of one row, however it ends. Many reads that wait are no
 * standstill. A server that only keeps its session alive must not go on holding its lease. Owned by the lease thread; it
 * never waits.
 */
final class Progress {
    private static final Logger log = LoggerFactory.getLogger(Progress.class);

    /** No host: the canary has turns of its own. */
    private static final String OWN = "";

    private final Scheduler scheduler;
    private final CommitQueues queues;
    private final long withinNanos;
    private final List<Canary> canaries = new ArrayList<>();

    /** {@code turns} completes when every event loop had one. */
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
        canaries.add(new Canary("the event loops", turns, Optional.empty()));
        canaries.add(reads("the read threads", pools.reads(TableSchema.METADATA_ID + 1), tablets, false));
        canaries.add(reads("the read threads of METADATA", pools.reads(TableSchema.METADATA_ID), tablets, true));
    }

    private Canary reads(String name, ReadPool pool, TabletSet tablets, boolean ofMetadata) {
        return new Canary(name, () -> read(pool, tablets, ofMetadata), Optional.of(pool));
    }

    /** What has not got on for a lease; sends the canaries that are back. */
    Optional<String> standstill() {
        long now = scheduler.clock().nanos();
        Optional<String> standing =
                queues.haveProgressed(now, withinNanos) ? Optional.empty() : Optional.of("the commit threads");
        for (Canary canary : canaries) {
            if (canary.isMissing(now, withinNanos)) {
                standing = standing.or(() -> Optional.of(canary.name));
            }
            canary.sendIfBack(now);
        }
        return standing;
    }

    /** Of the first tablet of that kind; where there is none, only the pool is tried. */
    private static CompletableFuture<Void> read(ReadPool pool, TabletSet tablets, boolean ofMetadata) {
        CompletableFuture<Void> back = new CompletableFuture<>();
        Optional<HostedTablet> hosted = tablets.all().stream()
                .filter(holding -> (holding.id().tableId() == TableSchema.METADATA_ID) == ofMetadata)
                .flatMap(holding -> holding.tablet().stream())
                .findFirst();
        try {
            pool.execute(OWN, () -> {
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

    /** Something that is sent, and is to come back. */
    private static final class Canary {
        private final String name;
        private final Supplier<CompletableFuture<Void>> send;
        private final Optional<ReadPool> pool;
        private CompletableFuture<Void> out = CompletableFuture.completedFuture(null);
        private long sentNanos;

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

        /** One that found no room never left. */
        private boolean isBack() {
            return out.isDone() && !out.isCompletedExceptionally();
        }

        private void sendIfBack(long now) {
            if (isBack()) {
                sentNanos = now;
            }
            if (out.isDone()) {
                out = send.get();
            }
        }
    }
}
