package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.log.LogConsumer;
import bt.log.LogReader;
import bt.log.LogRecord;
import bt.log.LogStream;
import bt.log.SegmentSummary;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.tablet.OpenWrite;
import bt.tablet.ResolvedMutation;
import bt.tablet.SortedLog;
import bt.tablet.Tablet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what the logs of dead servers hold of one tablet into its memtable: the records of its rows above its redo
 * point. Of those at or below it only the outcomes are of interest, for a retry of such a write may still be under way.
 * One thread, once.
 */
final class LogReplay {
    private static final Logger logger = LoggerFactory.getLogger(LogReplay.class);

    private final FileStore files;
    private final SegmentSorts sorts;
    private final Tablet tablet;
    private final long redoPoint;
    private final long nowMicros;
    private final Outcomes outcomes = new Outcomes();
    private long highest;
    private long applied;

    LogReplay(FileStore files, SegmentSorts sorts, Tablet tablet, long redoPoint, long nowMicros) {
        this.files = files;
        this.sorts = sorts;
        this.tablet = tablet;
        this.redoPoint = redoPoint;
        this.nowMicros = nowMicros;
        this.highest = tablet.readPoint();
    }

    /** The writes of the tablet that the logs name, applied or not. {@code steps} is told what is done next, in words. */
    Outcomes run(List<Long> epochs, Consumer<String> steps) throws BigtableException, InterruptedException {
        for (long epoch : epochs) {
            read(new LogStream(LogStream.RECOVERED, epoch, streamOf(tablet.id())), steps);
        }
        tablet.publish(highest);
        return outcomes;
    }

    /** Mutations that the logs had above the redo point. */
    long applied() {
        return applied;
    }

    static String streamOf(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? LogStream.METADATA : LogStream.USER;
    }

    private void read(LogStream stream, Consumer<String> steps) throws BigtableException, InterruptedException {
        boolean done = false;
        try {
            readAll(stream, steps);
            done = true;
        } finally {
            if (!done) {
                sorts.forget(stream);
            }
        }
    }

    private void readAll(LogStream stream, Consumer<String> steps) throws BigtableException, InterruptedException {
        steps.accept("looks at the log in " + stream.directory());
        LogReader reader = sorts.open(stream);
        if (reader.segments().isEmpty()) {
            // A server makes its logs before it can be given a tablet, so an empty directory is none that was empty.
            throw new UnavailableException(
                    stream.directory() + ": no segment of the stream " + stream.name()
                            + ": the log is not recovered yet, or lost",
                    Outcome.NOT_APPLIED);
        }
        // METADATA's is small, and waited for by all others: it is read as it is.
        Set<Long> sorted = stream.name().equals(LogStream.USER) ? sorts.sort(reader) : Set.of();
        LogConsumer unsorted = LogReader.once(this::take);
        for (long segment : reader.segments()) {
            steps.accept("replays " + stream.path(segment));
            if (!sorted.contains(segment) || !readSorted(stream, segment)) {
                note(stream, reader.read(segment, unsorted));
            }
        }
        logger.info("{}: {} mutations replayed from {}", tablet.id(), applied, stream.directory());
    }

    /**
     * False where it is damaged, or of a later format: the segment that it was made from has all of it, and what was taken before is there
     * once when it is taken again. It is sorted anew for whoever loads next.
     */
    private boolean readSorted(LogStream stream, long segment) throws BigtableException {
        try {
            SortedLog.read(files, SortedLog.path(stream, segment), tablet.id().tableId(), tablet.range(), this::take);
            return true;
        } catch (CorruptionException damaged) {
            logger.warn("{}: {}: the log itself is read", tablet.id(), damaged.getMessage());
            sorts.discard(stream, segment, damaged);
            return false;
        }
    }

    private static void note(LogStream stream, SegmentSummary summary) {
        if (summary.tornAt().isPresent()) {
            logger.info(
                    "{}: torn at {}, after {} records",
                    stream.path(summary.segment()),
                    summary.tornAt().getAsLong(),
                    summary.records());
        }
    }

    private void take(LogRecord entry) throws BigtableException {
        if (entry.tableId() == tablet.id().tableId() && tablet.range().contains(entry.row())) {
            switch (entry.kind()) {
                case MUTATION, COPY -> apply(entry);
                case BULK_LOAD, TABLET_BEGINS, TABLET_ENDS, SCHEMA ->
                    throw new UnavailableException(
                            tablet.subject() + ": the log has a " + entry.kind() + ", which this bt cannot replay",
                            Outcome.NOT_APPLIED);
            }
        }
    }

    private void apply(LogRecord entry) throws BigtableException {
        LogRecord.Author author = entry.author();
        if (!author.equals(LogRecord.Author.NONE)) {
            // When it was written the log does not tell; kept for longer it does no harm.
            outcomes.add(
                    entry.tableId(),
                    new OpenWrite(
                            entry.row(),
                            entry.stamp().firstSequence(),
                            new OpenWrite.Author(author.client(), author.number(), author.lowestOpen()),
                            author.result(),
                            nowMicros));
        }
        long firstSequence = entry.stamp().firstSequence();
        if (firstSequence > redoPoint) {
            TabletLoader.checkKnows(tablet.id(), tablet.schema(), entry.schemaVersion(), "a record of the log");
            ResolvedMutation mutation = ResolvedMutation.decodeBody(
                    entry.row(), firstSequence, entry.stamp().timestamp(), entry.body());
            tablet.apply(mutation);
            highest = Math.max(highest, mutation.lastSequence());
            applied++;
        }
    }
}
