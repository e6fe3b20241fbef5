package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Output;
import bt.log.LogConsumer;
import bt.log.LogRecord;
import bt.sstable.SSTableWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The records of a segment that is being sorted. Records as objects, if they are small, take four times the bytes that they
 * have in the segment, so few are at a time: as soon as there are enough for a run they are sorted, and kept as the values
 * that the sorted segment will have of them. {@link #merge} brings the runs together. One thread.
 */
final class SortedRuns implements LogConsumer {
    static final Comparator<LogRecord> ORDER = Comparator.comparingLong(LogRecord::tableId)
            .thenComparing(LogRecord::row)
            .thenComparingLong(entry -> entry.stamp().firstSequence())
            .thenComparingInt(entry -> entry.kind().number());

    /**
     * What the records of a run have at most when they are encoded; a larger record is a run. Below half a region of G1's heap: an
     * array of more has regions of its own, and runs of 2 MB so took half as much again.
     */
    private static final int RUN_BYTES = 500_000;

    private final int runBytes;
    private final List<byte[]> runs = new ArrayList<>();
    private final List<LogRecord> unsorted = new ArrayList<>();
    private long unsortedBytes;
    private boolean hasTooLarge;

    SortedRuns() {
        this(RUN_BYTES);
    }

    SortedRuns(int runBytes) {
        this.runBytes = runBytes;
    }

    /** Whether there was a record that no SSTable takes: the others are not kept then. */
    boolean hasTooLarge() {
        return hasTooLarge;
    }

    @Override
    public void accept(LogRecord entry) {
        long bytes = (long) entry.row().length() + entry.body().length() + LogRecord.MAX_OVERHEAD_BYTES;
        if (hasTooLarge || bytes > SSTableWriter.MAX_VALUE_BYTES) {
            hasTooLarge = true;
            unsorted.clear();
            runs.clear();
            return;
        }
        if (unsortedBytes + bytes > runBytes) {
            endRun();
        }
        unsorted.add(entry);
        unsortedBytes += bytes;
    }

    /** All of them in their order; of those that it has no order for, what came first is first. {@code source} is for messages. */
    RunMerge merge(String source) throws CorruptionException {
        endRun();
        return RunMerge.of(source, runs);
    }

    private void endRun() {
        if (unsorted.isEmpty()) {
            return;
        }
        unsorted.sort(ORDER);
        Output run = new Output((int) unsortedBytes);
        for (LogRecord entry : unsorted) {
            entry.encode(run.u8(SortedLog.VALUE_FORMAT));
        }
        runs.add(run.toArray());
        unsorted.clear();
        unsortedBytes = 0;
    }
}
