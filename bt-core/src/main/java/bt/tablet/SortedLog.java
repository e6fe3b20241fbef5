package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.base.RejectedException;
import bt.base.Slice;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import bt.log.LogConsumer;
import bt.log.LogReader;
import bt.log.LogRecord;
import bt.log.LogStream;
import bt.log.SegmentSummary;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.record.SSTableProperties;
import bt.sstable.Access;
import bt.sstable.BlockCache;
import bt.sstable.Cursor;
import bt.sstable.SSTable;
import bt.sstable.SSTableOptions;
import bt.sstable.SSTableWriter;

/**
 * A segment of a dead server's log as an SSTable, sorted by table, row and sequence (section 6 of the paper): whoever takes
 * one of the server's tablets reads that tablet's part with one seek, whatever was split since. See
 * docs/formats/sorted-log.md. Any thread.
 */
public final class SortedLog {
    static final int VALUE_FORMAT = 1;
    private static final String DIRECTORY = "sorted";
    private static final int BLOCK_BYTES = 64 << 10;
    private static final SSTableOptions OPTIONS = new SSTableOptions(BLOCK_BYTES, "lz4", 0, Slice::length);

    private SortedLog() {}

    /** Where the sorted segment lies once it is whole. */
    public static String path(LogStream stream, long segment) {
        return directory(stream) + "/" + FilePaths.name(stream.path(segment));
    }

    /** Of the sorted segments of a log, and of those that are being sorted. */
    public static String directory(LogStream stream) {
        return stream.directory() + "/" + DIRECTORY;
    }

    /** Where {@code sorter} writes what will be the sorted segment at {@code path}; while it is there, others see it at work. */
    public static String unfinished(String path, String sorter) {
        return path + "." + sorter;
    }

    /**
     * Sorts a segment, whose bytes are in memory meanwhile; false when it holds a record that no SSTable takes, or what it
     * holds is not final yet. It counts with the rename at the end, and where another server was faster its file counts.
     * {@code sorter} names this one.
     */
    public static boolean sort(FileStore files, LogReader log, long segment, String sorter) throws BigtableException {
        String path = path(log.stream(), segment);
        String unfinished = unfinished(path, sorter);
        files.makeDirectory(FilePaths.parent(path));
        // Of a sort that failed here before; nobody else has this name.
        files.delete(unfinished);
        // Before the segment is read: others see by it that somebody is at work.
        SSTableWriter writer = SSTableWriter.create(files, unfinished, OPTIONS);
        try {
            SortedRuns runs = new SortedRuns();
            SegmentSummary found = log.read(segment, runs);
            if (!log.isFinal(found) || runs.hasTooLarge()) {
                writer.abandon();
                files.delete(unfinished);
                return false;
            }
            write(writer, runs.merge(log.stream().path(segment)));
        } catch (BigtableException | RuntimeException failed) {
            writer.abandon();
            // Nobody is at work on it any more.
            files.discard(unfinished, failed);
            throw failed;
        }
        try {
            files.rename(unfinished, path);
        } catch (RejectedException another) {
            files.delete(unfinished);
        }
        return true;
    }

    /** Gives the records of the table's rows in the range to {@code consumer}, by row and sequence. */
    public static void read(FileStore files, String path, long tableId, RowRange range, LogConsumer consumer)
            throws BigtableException {
        // Everything is read once.
        try (SSTable sorted = SSTable.open(files, path, BlockCache.ofBytes(0))) {
            Cursor cursor = sorted.cursor(Access.COMPACTION);
            Bytes end = range.end().map(row -> rowKey(tableId, row)).orElseGet(() -> tableKey(tableId + 1));
            boolean found = cursor.seek(rowKey(tableId, range.start()));
            while (found && cursor.key().compareWith(end) < 0) {
                consumer.accept(decode(path, cursor));
                found = cursor.next();
            }
        }
    }

    private static LogRecord decode(String path, Cursor cursor) throws CorruptionException {
        Bytes value = cursor.value().toBytes();
        String source = path + ", record " + cursor.key();
        if (value.isEmpty() || value.at(0) != VALUE_FORMAT) {
            throw new CorruptionException(source + ": its format is not known");
        }
        return LogRecord.decode(source, value, 1);
    }

    private static void write(SSTableWriter writer, RunMerge sorted) throws BigtableException {
        Bytes last = Bytes.EMPTY;
        long smallest = Long.MAX_VALUE;
        long largest = 0;
        for (; !sorted.isAtEnd(); sorted.next()) {
            Bytes key = key(sorted.entry());
            // A copy that was appended twice is the same both times.
            if (!key.equals(last)) {
                writer.add(Slice.of(key), sorted.value());
                last = key;
                smallest = Math.min(smallest, sequence(sorted.entry()));
                largest = Math.max(largest, sequence(sorted.entry()));
            }
        }
        writer.finish(properties(Math.min(smallest, largest), largest));
    }

    private static SSTableProperties.Builder properties(long smallestSequence, long largestSequence) {
        return SSTableProperties.newBuilder()
                .setSmallestSequence(smallestSequence)
                .setLargestSequence(largestSequence)
                .setHighestServerTimestamp(0)
                .setSchemaVersion(0);
    }

    private static long sequence(LogRecord entry) {
        return entry.stamp().firstSequence();
    }

    static Bytes key(LogRecord entry) {
        return new Output(entry.row().length() + 2 * Long.BYTES + 4)
                .raw(rowKey(entry.tableId(), entry.row()))
                .bigU64(sequence(entry))
                .u8(entry.kind().number())
                .toBytes();
    }

    private static Bytes rowKey(long tableId, Bytes row) {
        Bytes table = tableKey(tableId);
        return row.isEmpty()
                ? table
                : new Output(row.length() + Long.BYTES + 4)
                        .raw(table)
                        .raw(CellKey.rowPrefix(row))
                        .toBytes();
    }

    private static Bytes tableKey(long tableId) {
        return new Output(Long.BYTES).bigU64(tableId).toBytes();
    }
}
