package bt.tabletserver;

import bt.base.BigtableException;
import bt.log.CommitLog;
import bt.tablet.Changes;
import bt.tablet.ResolvedMutation;
import bt.tabletserver.CommitPipeline.LogInDoubt;
import bt.tabletserver.LogNeeds.FrozenPin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the log short: gives free what nobody needs, and where a tablet needs a segment that is too old has its memtable
 * written to files, or, when there is little in it, appended to the log again, the oldest first, thousands of them together. The bound is twice the memtables' share of
 * the heap, so that it is memory that decides when a memtable is written. What is to become a file and does not, because its
 * file cannot be written, is appended again too, when the log is twice as long: that is the bound whatever the file store
 * refuses. All tablets of a table may need too old a segment at once: their memtables are written in turns of tables, so that
 * one for want of memory stands behind few of them. The log is not longer for that: the threads have always some of them, a
 * segment goes when the last that needs it has gone, whichever is first, and those of other tables stand behind no more of one
 * table's than of their own. Owned by the commit thread.
 */
final class LogTrim {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A memtable that holds less is not worth a file, unless all of them together may hold but a few times that much. */
    private static final long SMALL_BYTES = 1 << 20;

    private static final long SMALL_OF_SHARE = 12;

    /** Where they are more than can be appended again in time, a file is for this part of it: {@link #isWorthAFile}. */
    private static final long SMALL_OF_LATE = 16;

    /** Writes wait while memtables are appended again. */
    private static final long MAX_COPIED_BYTES_AT_ONCE = 4 << 20;

    /** Of those that go together, with one sync. They may hold next to nothing, so that their number counts. */
    private static final int MAX_COPIES_AT_ONCE = 2_000;

    /** Of those of which each is a sync of its own. */
    private static final int MAX_SYNCS_AT_ONCE = 50;

    /** The segment that is written, and one that is about to be given free. */
    private static final long SEGMENTS_BESIDE = 2;

    private final CommitLog log;
    private final LogNeeds needs;
    private final CommitPipeline pipeline;
    private final CommitHooks hooks;
    private final long maxSegments;
    private final long smallBytes;
    /** The frozen memtable that is being appended again, some of it at a time. */
    private @Nullable FrozenCopy stuck;

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
    void run(long nowNanos, Consumer<HostedTablet> freeze) throws LogInDoubt, InterruptedException {
        if (nowNanos - ranNanos >= EVERY_NANOS) {
            ranNanos = nowNanos;
            needs.reached(log.segment());
            shorten(log.segment() - maxSegments, freeze);
            log.release(needs.oldest());
        }
    }

    private void shorten(long tooOld, Consumer<HostedTablet> freeze) throws LogInDoubt, InterruptedException {
        if (needs.oldest() > tooOld) {
            return;
        }
        Set<Long> withLost = pipeline.tablesWithLost();
        AtOnce copied = new AtOnce();
        List<HostedTablet> together = new ArrayList<>();
        // By now they would be in files, were it possible.
        for (HostedTablet tablet : needs.pinnedBehindFrozen(tooOld - maxSegments)) {
            if (isLarge(tablet)) {
                freeze.accept(tablet);
            } else if (hasLost(tablet, withLost)) {
                copyIfRoom(tablet, copied);
            } else {
                // Frozen, there would be one more each time.
                together.add(tablet);
            }
        }
        for (HostedTablet tablet : needs.pinnedByActive(tooOld)) {
            boolean isSmall = !isLarge(tablet) && !hasLost(tablet, withLost);
            if (!isSmall || isWorthAFile(tablet, tooOld)) {
                hooks.compactForLog(tablet);
                flushes.incrementAndGet();
            }
            if (isSmall) {
                // Its file, if there is to be one, may have to wait for others.
                together.add(tablet);
            }
        }
        together.sort(Comparator.comparingLong(needs::active));
        List<HostedTablet> first = together.subList(0, Math.min(together.size(), MAX_COPIES_AT_ONCE));
        copies.addAndGet(pipeline.copy(first, MAX_COPIED_BYTES_AT_ONCE));
        copyStuck(tooOld - maxSegments);
    }

    /** Its files tell of them once, each copy would have to tell of all. */
    private static boolean hasLost(HostedTablet tablet, Set<Long> withLost) {
        return withLost.contains(tablet.id().tableId());
    }

    /** Less than is large is where the log is twice as long already: so many are so large that appending them again takes too long. */
    private boolean isWorthAFile(HostedTablet tablet, long tooOld) {
        return needs.active(tablet) <= tooOld - maxSegments
                && tablet.tablet().memtableBytes() >= smallBytes / SMALL_OF_LATE;
    }

    private boolean isLarge(HostedTablet tablet) {
        return tablet.tablet().memtableBytes() >= smallBytes;
    }

    private void copyIfRoom(HostedTablet tablet, AtOnce copied) throws LogInDoubt, InterruptedException {
        if (copied.hasRoom()) {
            long bytes = tablet.tablet().memtableBytes();
            long bytesOfLost = pipeline.copy(tablet);
            copies.incrementAndGet();
            copied.took(bytes + bytesOfLost);
        }
    }

    /** How much was appended again, of what may be at a time. */
    private static final class AtOnce {
        private int syncs;
        private long bytes;

        boolean hasRoom() {
            return syncs < MAX_SYNCS_AT_ONCE && bytes < MAX_COPIED_BYTES_AT_ONCE;
        }

        long room() {
            return MAX_COPIED_BYTES_AT_ONCE - bytes;
        }

        void took(long moreBytes) {
            syncs++;
            bytes += moreBytes;
        }
    }

    /** As many of the frozen memtables as may be appended again at a time, and of the next a part. */
    private void copyStuck(long tooOld) throws LogInDoubt, InterruptedException {
        AtOnce copied = new AtOnce();
        while (copied.hasRoom()) {
            FrozenCopy copy = stuck;
            if (copy == null || copy.pin.isOver()) {
                copy = needs.pinnedByFrozen(tooOld).stream()
                        .findFirst()
                        .map(pin -> new FrozenCopy(pin, pin.frozen().changes(), log.segment()))
                        .orElse(null);
            }
            stuck = copy;
            if (copy == null) {
                return;
            }
            copied.took(copyMore(copy, copied.room()));
        }
    }

    /** How many bytes were appended. */
    private long copyMore(FrozenCopy copy, long bytes) throws LogInDoubt, InterruptedException {
        long before = copy.changes.bytes();
        long bytesOfLost = 0;
        try {
            List<ResolvedMutation> some = copy.changes.next(bytes);
            if (!some.isEmpty()) {
                pipeline.copy(copy.pin.tablet(), some);
            }
            if (!some.isEmpty() && copy.changes.isOver()) {
                // Behind the last: what was forgotten while the others were copied is told too.
                bytesOfLost = pipeline.copyLost(copy.pin.tablet(), some);
            }
        } catch (BigtableException impossible) {
            throw new LogInDoubt(impossible);
        }
        if (copy.changes.isOver()) {
            copy.pin.copied(copy.fromSegment);
            copies.incrementAndGet();
            stuck = null;
        }
        return copy.changes.bytes() - before + bytesOfLost;
    }

    /** What is left of one to be appended again, and the segment in which that began. */
    private record FrozenCopy(FrozenPin pin, Changes changes, long fromSegment) {}
}
