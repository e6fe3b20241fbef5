package bt.examples.bench;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.fs.FileStore;
import bt.record.SSTableProperties;
import bt.sstable.Access;
import bt.sstable.BlockCache;
import bt.sstable.Cursor;
import bt.sstable.SSTable;
import bt.sstable.SSTableOptions;
import bt.sstable.SSTableWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** One codec over entries that are written to an SSTable and read again. One thread, whose CPU time is the measure. */
final class CodecTrial {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int BLOCK_BYTES = 64 << 10;
    private static final double BYTES_PER_MB = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final String codec;
    private final SortedMap<Bytes, Bytes> entries;
    private final FileStore store;
    private final long valueBytes;
    private final List<Long> writing = new ArrayList<>();
    private final List<Long> reading = new ArrayList<>();
    private long dataBytes;

    CodecTrial(String codec, SortedMap<Bytes, Bytes> entries, FileStore store) {
        this.codec = codec;
        this.entries = entries;
        this.store = store;
        this.valueBytes = entries.values().stream().mapToLong(Bytes::length).sum();
    }

    void run(boolean counts) throws BigtableException {
        try {
            long began = THREADS.getCurrentThreadCpuTime();
            write();
            long written = THREADS.getCurrentThreadCpuTime();
            read();
            if (counts) {
                writing.add(written - began);
                reading.add(THREADS.getCurrentThreadCpuTime() - written);
            }
        } finally {
            store.delete(codec);
        }
    }

    Result result() {
        return Result.of(codec, "bt")
                .with(Figure.RATIO, (double) valueBytes / dataBytes)
                .with(Figure.ENCODE_MB_PER_SECOND, mbPerSecond(writing))
                .with(Figure.DECODE_MB_PER_SECOND, mbPerSecond(reading));
    }

    private void write() throws BigtableException {
        // No filter: it is not what is measured, and costs the same with every codec.
        SSTableOptions options = new SSTableOptions(BLOCK_BYTES, codec, 0, Slice::length);
        SSTableWriter writer = SSTableWriter.create(store, codec, options);
        try {
            for (Map.Entry<Bytes, Bytes> entry : entries.entrySet()) {
                writer.add(entry.getKey(), entry.getValue());
            }
            writer.finish(SSTableProperties.newBuilder());
            dataBytes = writer.dataBytes();
        } finally {
            writer.abandon();
        }
    }

    private void read() throws BigtableException {
        long bytes = 0;
        int count = 0;
        try (SSTable file = SSTable.open(store, codec, BlockCache.ofBytes(0))) {
            Cursor cursor = file.cursor(Access.COMPACTION);
            while (cursor.next()) {
                bytes += cursor.value().length();
                count++;
            }
        }
        if (bytes != valueBytes || count != entries.size()) {
            throw new IllegalStateException(codec + ": " + count + " entries with " + bytes + " bytes came back of "
                    + entries.size() + " with " + valueBytes);
        }
    }

    /** The round in the middle. */
    private double mbPerSecond(List<Long> nanos) {
        long middle = nanos.stream().sorted().toList().get(nanos.size() / 2);
        return valueBytes / BYTES_PER_MB * NANOS_PER_SECOND / middle;
    }
}
