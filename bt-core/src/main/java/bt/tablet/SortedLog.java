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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

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
    private static final Comparator<LogRecord> ORDER = Comparator.comparingLong(LogRecord::tableId)
            .thenComparing(LogRecord::row)
            .thenComparingLong(entry -> entry.stamp().firstSequence())
            .thenComparingInt(entry -> entry.kind().number());

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
     * Sorts a segment, which is in memory meanwhile; false when it holds a record that no SSTable takes, or what it holds is
     * not final yet. It counts with the rename at the end, and where another server was faster its file counts. {@code
     * sorter} names this one.
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
            List<LogRecord> records = new ArrayList<>();
            SegmentSummary found = log.read(segment, records::add);
            if (!log.isFinal(found) || records.stream().anyMatch(SortedLog::isTooLarge)) {
                writer.abandon();
                files.delete(unfinished);
                return false;
            }
            records.sort(ORDER);
            write(writer, records);
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

    private static void write(SSTableWriter writer, List<LogRecord> sorted) throws BigtableException {
        Bytes last = Bytes.EMPTY;
        for (LogRecord entry : sorted) {
            Bytes key = key(entry);
            // A copy that was appended twice is the same both times.
            if (!key.equals(last)) {
                Output value = new Output(entry.body().length() + LogRecord.MAX_OVERHEAD_BYTES);
                entry.encode(value.u8(VALUE_FORMAT));
                writer.add(key, value.toBytes());
                last = key;
            }
        }
        writer.finish(properties(sorted));
    }

    private static SSTableProperties.Builder properties(List<LogRecord> records) {
        OptionalLong smallest = records.stream().mapToLong(SortedLog::sequence).min();
        OptionalLong largest = records.stream().mapToLong(SortedLog::sequence).max();
        return SSTableProperties.newBuilder()
                .setSmallestSequence(smallest.orElse(0))
                .setLargestSequence(largest.orElse(0))
                .setHighestServerTimestamp(0)
                .setSchemaVersion(0);
    }

    private static long sequence(LogRecord entry) {
        return entry.stamp().firstSequence();
    }

    private static boolean isTooLarge(LogRecord entry) {
        return entry.row().length() + entry.body().length() + LogRecord.MAX_OVERHEAD_BYTES
                > SSTableWriter.MAX_VALUE_BYTES;
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
