package bt.tabletserver;

import bt.log.CommitLog;
import bt.tabletserver.CommitPipeline.LogInDoubt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the log short: gives free what nobody needs, and where a tablet needs a segment that is too old has its memtable
 * written to files, or, when there is little in it, appended to the log again. The bound is twice the memtables' share of
 * the heap, so that it is memory that decides when a memtable is written. Owned by the commit thread.
 */
final class LogTrim {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A memtable that holds less is not worth a file, unless all of them together may hold but a few times that much. */
    private static final long SMALL_BYTES = 1 << 20;

    private static final long SMALL_OF_SHARE = 12;

    /** Writes wait while memtables are appended again. */
    private static final long MAX_COPIED_BYTES_AT_ONCE = 4 << 20;

    /** Each is a sync of its own, so of many memtables that hold next to nothing the number counts. */
    private static final int MAX_COPIES_AT_ONCE = 50;

    /** The segment that is written, and one that is about to be given free. */
    private static final long SEGMENTS_BESIDE = 2;

    private final CommitLog log;
    private final LogNeeds needs;
    private final CommitPipeline pipeline;
    private final CommitHooks hooks;
    private final long maxSegments;
    private final long smallBytes;
    private final AtomicLong copies = new AtomicLong();
    private final AtomicLong flushes = new AtomicLong();
    private long ranNanos;

    LogTrim(CommitLog log, LogNeeds needs, CommitPipeline pipeline, CommitHooks hooks, long memtableShareBytes) {
        this.log = log;
        this.needs = needs;
        this.pipeline = pipeline;
        this.hooks = hooks;
        this.maxSegments = SEGMENTS_BESIDE + 2 * memtableShareBytes / log.segmentBytes();
        this.smallBytes = Math.min(SMALL_BYTES, memtableShareBytes / SMALL_OF_SHARE);
    }

    /** How many memtables were appended again. Any thread. */
    long copies() {
        return copies.get();
    }

    /** How many memtables were to become files so that their segments may go. Any thread. */
    long flushes() {
        return flushes.get();
    }

    /** Between two batches. */
    void run(long nowNanos) throws LogInDoubt, InterruptedException {
        if (nowNanos - ranNanos >= EVERY_NANOS) {
            ranNanos = nowNanos;
            needs.reached(log.segment());
            shorten(log.segment() - maxSegments);
            log.release(needs.oldest());
        }
    }

    private void shorten(long tooOld) throws LogInDoubt, InterruptedException {
        if (needs.oldest() > tooOld) {
            return;
        }
        int copiesNow = 0;
        long copied = 0;
        Set<Long> withLost = pipeline.tablesWithLost();
        for (HostedTablet tablet : needs.pinnedByActive(tooOld)) {
            long bytes = tablet.tablet().sizes().memtableBytes();
            if (bytes >= smallBytes || withLost.contains(tablet.id().tableId())) {
                hooks.compact(tablet);
                flushes.incrementAndGet();
            } else if (copied < MAX_COPIED_BYTES_AT_ONCE && copiesNow < MAX_COPIES_AT_ONCE) {
                pipeline.copy(tablet);
                copies.incrementAndGet();
                copiesNow++;
                copied += bytes;
            }
        }
    }
}
