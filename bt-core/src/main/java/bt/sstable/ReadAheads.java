package bt.sstable;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What scans have read ahead of where they stand, bounded by its bytes. Each page of a scan is a read of its own, which
 * finds here what the one before has left, and goes on with reads as large. Any thread.
 */
final class ReadAheads {
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    /** The one kept last comes first. */
    @GuardedBy("lock") private final Deque<Extent> extents = new ArrayDeque<>();

    @GuardedBy("lock") private long bytes;

    ReadAheads(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A part of a file as it lies there. Nobody writes to its bytes. */
    static final class Extent {
        static final Extent NONE = new Extent("", 0, new byte[0]);

        private final String path;
        private final long offset;
        private final byte[] bytes;

        Extent(String path, long offset, byte[] bytes) {
            this.path = path;
            this.offset = offset;
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }

        boolean has(BlockHandle block) {
            return block.offset() >= offset && block.end() <= offset + bytes.length;
        }

        /** Index into its bytes of the block's first. */
        int at(BlockHandle block) {
            return (int) (block.offset() - offset);
        }
    }

    /** An extent that has all of the block. */
    Optional<Extent> find(String path, BlockHandle block) {
        lock.lock();
        try {
            for (Extent extent : extents) {
                if (extent.has(block) && extent.path.equals(path)) {
                    return Optional.of(extent);
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Keeps an extent. The one that its scan has come through goes first, for a page may begin once more at its end. */
    void keep(Extent next, Extent done) {
        lock.lock();
        try {
            if (extents.remove(done)) {
                extents.addLast(done);
            }
            if (next.bytes.length <= maxBytes) {
                extents.addFirst(next);
                bytes += next.bytes.length;
            }
            while (bytes > maxBytes) {
                bytes -= extents.removeLast().bytes.length;
            }
        } finally {
            lock.unlock();
        }
    }

    /** It is damaged. */
    void forget(Extent extent) {
        lock.lock();
        try {
            bytes -= extents.remove(extent) ? extent.bytes.length : 0;
        } finally {
            lock.unlock();
        }
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }
}
