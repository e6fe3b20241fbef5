package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.log.CommitLog;
import bt.log.LogBatch;
import bt.log.LogRecord;
import bt.model.CellKey;
import bt.model.RowMutation;
import bt.model.TabletId;
import bt.protocol.WriteId;
import bt.tablet.OpenWrite;
import bt.tablet.ResolvedMutation;
import bt.tablet.Resolver;
import bt.tablet.Tablet;
import bt.tablet.TimestampCheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The two batches under way: one is filled and given its sequences while the other is synced and enters the memtables, where
 * nobody sees it. When that is in the log the filled one is handed over, and the one before becomes visible and is
 * answered, during the next sync unless its callers are waited for ({@link Returning}). Everything stays in order:
 * sequences, the log, the memtables, the read points. Owned by the commit thread.
 */
final class CommitPipeline {
    private final CommitLog log;
    private final Clock clock;
    private final Outcomes outcomes;
    private final LogNeeds needs;
    private final AtomicLong sentBatches = new AtomicLong();
    private final AtomicLong sentWrites = new AtomicLong();
    private final AtomicLong sentBytes = new AtomicLong();
    private CommitBatch open = new CommitBatch();
    private CommitBatch flying = new CommitBatch();

    /** Whether the one that flies is in the log, and whether a slow log writer may still look at it. */
    private boolean settled;

    private boolean logReadsSettled;

    private long sentNanos;
    private long flushMicros;
    private long lastSequence;

    CommitPipeline(CommitLog log, Clock clock, Outcomes outcomes, LogNeeds needs) {
        this.log = log;
        this.clock = clock;
        this.outcomes = outcomes;
        this.needs = needs;
    }

    /** No later write gets a sequence at or below this one. */
    void raise(long sequence) {
        lastSequence = Math.max(lastSequence, sequence);
    }

    /** Bytes of the log that wait to be handed over. */
    long openBytes() {
        return open.logged().bytes();
    }

    /** Writes that wait to be handed over. */
    int openWrites() {
        return open.size();
    }

    /** Writes that are on their way to the log, or there and not yet answered. */
    int flyingWrites() {
        return flying.size();
    }

    /** Batches of writes that were handed over to the log so far. Any thread. */
    long sentBatches() {
        return sentBatches.get();
    }

    /** The writes in them. Any thread. */
    long sentWrites() {
        return sentWrites.get();
    }

    /** The bytes of these, as the log has them. Any thread. */
    long sentBytes() {
        return sentBytes.get();
    }

    /** How long the log took for the last batch. */
    long flushMicros() {
        return flushMicros;
    }

    /** Whether a batch is on its way to the log, or nobody was told yet that it is there. */
    boolean isFlying() {
        return !flying.isEmpty();
    }

    /** Whether a write was admitted that its tablet does not know yet. */
    boolean holds(WriteId id) {
        return open.holds(id) || flying.holds(id);
    }

    /** Whether an admitted write, which the tablet does not know yet, changes the row. */
    boolean changes(long tableId, Bytes row) {
        return open.changes(tableId, row) || flying.changes(tableId, row);
    }

    /**
     * Gives the write its sequences and timestamp, which is one more than the tablet's last where the clock may not be
     * trusted: one that is ahead would stay in the tablet for good. REJECTED when it breaks the schema or a bound.
     */
    void admit(WriteEntry entry, HostedTablet hosted, boolean isClockRight) throws BigtableException {
        Tablet tablet = hosted.tablet();
        RowMutation mutation = entry.mutation();
        long firstSequence = lastSequence + 1;
        if (firstSequence > CellKey.MAX_SEQUENCE - mutation.changes().size()) {
            throw new RejectedException(
                    tablet.subject() + ": sequence numbers end at " + CellKey.MAX_SEQUENCE,
                    "export the table and import it into another cluster, whose numbers are at their beginning");
        }
        long timestamp = tablet.nextServerTimestamp(isClockRight ? clock.micros() : 0);
        ResolvedMutation resolved = entry.changesNothing()
                ? ResolvedMutation.ofNothing(mutation.row(), firstSequence, timestamp)
                : resolve(entry, tablet, firstSequence, timestamp);
        open.add(entry, hosted, resolved);
        lastSequence = resolved.lastSequence();
    }

    private static ResolvedMutation resolve(WriteEntry entry, Tablet tablet, long firstSequence, long timestamp)
            throws BigtableException {
        TimestampCheck.check(entry.asked(), tablet.schema());
        try {
            return Resolver.resolve(entry.mutation(), tablet.schema(), firstSequence, timestamp);
        } catch (IllegalArgumentException malformed) {
            // From a client that did not check: it must not end the thread that everybody's writes go through.
            throw RejectedException.of("table " + tablet.schema().name(), malformed, "correct the mutation");
        }
    }

    /** Waits for the batch that is on its way, if there is one: what comes meanwhile may yet go with the next. */
    void settle() throws LogInDoubt, InterruptedException {
        if (isFlying() && !settled) {
            try {
                logReadsSettled = !log.settle();
                settled = true;
                flushMicros = (clock.nanos() - sentNanos) / 1_000;
            } catch (BigtableException failed) {
                throw new LogInDoubt(failed);
            }
        }
    }

    /** Waits for the batch that is on its way, and answers the writes in it; the next is not sent. */
    void answer() throws LogInDoubt, InterruptedException {
        settle();
        try {
            finish(flying, log.segment());
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
    }

    /** Waits for the batch that is on its way, and sends the one that was filled meanwhile. */
    void push() throws LogInDoubt, InterruptedException {
        settle();
        CommitBatch done = flying;
        try {
            long segment = log.segment();
            if (!open.isEmpty()) {
                log.write(open.logged(), open.mustSync());
                sentNanos = clock.nanos();
                sentBatches.incrementAndGet();
                sentWrites.addAndGet(open.size());
                sentBytes.addAndGet(open.logged().bytes());
            }
            flying = open;
            open = done;
            finish(done, segment);
            flying.apply();
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
    }

    /** Only what is in the log, in this segment: a reader must never see what a crash could still take back. */
    private void finish(CommitBatch done, long segment) throws BigtableException {
        boolean logReadsIt = logReadsSettled;
        settled = false;
        logReadsSettled = false;
        done.finish(segment, needs, outcomes, clock.micros());
        done.clear(logReadsIt);
    }

    /** Until nothing is half done. */
    void drain() throws LogInDoubt, InterruptedException {
        while (isFlying() || !open.isEmpty()) {
            push();
        }
    }

    /** What was only flushed goes to disk. Nothing is half done then. */
    void sync() throws LogInDoubt, InterruptedException {
        log(new LogBatch());
    }

    /** The tables of which writes are lost, which files of open writes tell. Nothing is half done then. */
    Set<Long> tablesWithLost() throws LogInDoubt, InterruptedException {
        drain();
        return outcomes.tablesWithLost(clock.micros());
    }

    /**
     * Appends again what the tablet's memtable holds, so that the segments that had it may go. How many bytes there are beside that, of
     * lost writes. Nothing is half done then.
     */
    long copy(HostedTablet hosted) throws LogInDoubt, InterruptedException {
        drain();
        List<ResolvedMutation> changes;
        try {
            changes = hosted.tablet().changes();
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
        copy(hosted, changes);
        // That of the changes: what follows may begin the next.
        long segment = log.segment();
        long bytesOfLost = changes.isEmpty() ? 0 : copyLost(hosted, changes);
        needs.copied(hosted, segment);
        return bytesOfLost;
    }

    /**
     * Appends the lost writes of the tablet's table, each with a change of nothing in the shortest of the rows that were changed, so that
     * whoever replays these changes knows of them: they name no author that was forgotten by then. How many bytes. Nothing is half done
     * then.
     */
    long copyLost(HostedTablet hosted, List<ResolvedMutation> changes) throws LogInDoubt, InterruptedException {
        drain();
        try {
            Bytes row = changes.stream()
                    .map(ResolvedMutation::row)
                    .min(Comparator.comparingInt(Bytes::length))
                    .orElseThrow();
            LogBatch batch = new LogBatch();
            long bytes = 0;
            long now = clock.micros();
            for (OpenWrite write : outcomes.lostIn(hosted.id().tableId(), now)) {
                // A sequence that nothing has: of two records with one a reader leaves out the second.
                lastSequence++;
                batch.add(copyOf(ResolvedMutation.ofNothing(row, lastSequence, now), hosted, Optional.of(write)));
                if (batch.bytes() > CommitWorker.MAX_BATCH_BYTES) {
                    bytes += batch.bytes();
                    log(batch);
                    batch = new LogBatch();
                }
            }
            if (batch.bytes() > 0) {
                bytes += batch.bytes();
                log(batch);
            }
            return bytes;
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
    }

    /**
     * Appends again what the memtables of these tablets hold, whose tables have no lost writes, so that the segments that had it may go: that of
     * the first of them, until it is so many bytes, with one sync. Of how many that was. Nothing is half done then.
     */
    int copy(List<HostedTablet> tablets, long bytes) throws LogInDoubt, InterruptedException {
        if (tablets.isEmpty()) {
            return 0;
        }
        drain();
        AdoptedTablets these = new AdoptedTablets();
        tablets.forEach(these::add);
        Map<TabletId, List<OpenWrite>> open = outcomes.openIn(these, clock.micros());
        List<HostedTablet> copied = new ArrayList<>();
        LogBatch batch = new LogBatch();
        try {
            for (HostedTablet tablet : tablets) {
                if (batch.bytes() < bytes) {
                    add(tablet.tablet().changes(), tablet, open.getOrDefault(tablet.id(), List.of()), batch);
                    copied.add(tablet);
                }
            }
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
        log(batch);
        copied.forEach(tablet -> needs.copied(tablet, log.segment()));
        return copied.size();
    }

    /** Appends again some changes that a memtable of the tablet holds. Nothing is half done then. */
    void copy(HostedTablet hosted, List<ResolvedMutation> changes) throws LogInDoubt, InterruptedException {
        drain();
        LogBatch batch = new LogBatch();
        try {
            add(changes, hosted, outcomes.openIn(hosted.id(), hosted.tablet().range(), clock.micros()), batch);
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
        log(batch);
    }

    /** With the authors of those writes that are open in the tablet, and not lost. */
    private static void add(List<ResolvedMutation> changes, HostedTablet hosted, List<OpenWrite> open, LogBatch batch)
            throws BigtableException {
        Map<Long, OpenWrite> authors = new HashMap<>();
        for (OpenWrite write : open) {
            if (!write.isLost()) {
                authors.put(write.sequence(), write);
            }
        }
        for (ResolvedMutation change : changes) {
            batch.add(copyOf(change, hosted, Optional.ofNullable(authors.get(change.firstSequence()))));
        }
    }

    /** With the author of the write that the change was the first of, while it is open: the segment that told it may go. */
    private static LogRecord copyOf(ResolvedMutation change, HostedTablet hosted, Optional<OpenWrite> open)
            throws BigtableException {
        return new LogRecord(
                LogRecord.Kind.COPY,
                hosted.id().tableId(),
                hosted.tablet().schema().version(),
                new LogRecord.Stamp(change.firstSequence(), change.timestamp()),
                LogRecord.Origin.HERE,
                open.map(CommitPipeline::author).orElse(LogRecord.Author.NONE),
                change.row(),
                change.encodeBody());
    }

    private static LogRecord.Author author(OpenWrite write) {
        OpenWrite.Author author = write.author();
        return new LogRecord.Author(author.client(), author.number(), author.lowestOpen(), write.result());
    }

    private void log(LogBatch batch) throws LogInDoubt, InterruptedException {
        drain();
        try {
            log.write(batch, true);
            boolean unused = log.settle();
        } catch (BigtableException failed) {
            throw new LogInDoubt(failed);
        }
    }

    /** What the log holds of the batches is unknown, and so is the outcome of every write in them. */
    void fail() {
        flying.fail();
        open.fail();
    }

    /** The commit log may or may not hold what was handed over last: this server must not go on. */
    static final class LogInDoubt extends Exception {
        LogInDoubt(BigtableException cause) {
            super(cause.getMessage(), cause);
        }
    }
}
