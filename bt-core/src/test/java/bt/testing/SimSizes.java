package bt.testing;

import bt.tabletserver.SplitConfig;

/**
 * How large things become in a simulated cluster.
 *
 * @param flushBytes from how many bytes on a memtable becomes a file: one that has anything takes 4,112, and 8,224 when it
 *     has a value that is not short
 * @param segmentBytes about how long a segment of a log becomes
 * @param memtableBytes what all memtables of users' tablets of a server may hold
 * @param metadataMemtableBytes the same of METADATA's
 * @param splitBytes from how many bytes of files on a tablet of users is split
 * @param tabletBytes what a server's tablets may take of which nobody asks anything
 */
public record SimSizes(
        long flushBytes,
        long segmentBytes,
        long memtableBytes,
        long metadataMemtableBytes,
        long splitBytes,
        long tabletBytes) {
    private static final long ROOM_BYTES = 8 << 20;

    /** Not a share of this JVM's heap, which servers tell the master: the same seed would live another life in another JVM. */
    public static final long TABLET_BYTES = 128 << 20;

    /** Segments of a few memtables, and more memory than is ever needed. */
    public static SimSizes flushing(long flushBytes) {
        return new SimSizes(
                flushBytes,
                Math.min(100_000, 4 * flushBytes),
                ROOM_BYTES,
                ROOM_BYTES,
                SplitConfig.DEFAULT.bytes(),
                TABLET_BYTES);
    }

    public SimSizes withFlushBytes(long bytes) {
        return new SimSizes(bytes, segmentBytes, memtableBytes, metadataMemtableBytes, splitBytes, tabletBytes);
    }

    public SimSizes withSegmentBytes(long bytes) {
        return new SimSizes(flushBytes, bytes, memtableBytes, metadataMemtableBytes, splitBytes, tabletBytes);
    }

    public SimSizes withMemtableBytes(long users, long metadata) {
        return new SimSizes(flushBytes, segmentBytes, users, metadata, splitBytes, tabletBytes);
    }

    public SimSizes withTabletBytes(long bytes) {
        return new SimSizes(flushBytes, segmentBytes, memtableBytes, metadataMemtableBytes, splitBytes, bytes);
    }

    public SimSizes withSplitBytes(long bytes) {
        return new SimSizes(flushBytes, segmentBytes, memtableBytes, metadataMemtableBytes, bytes, tabletBytes);
    }
}
