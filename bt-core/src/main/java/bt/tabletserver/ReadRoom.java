package bt.tabletserver;

import bt.base.OverloadedException;
import bt.base.Turns;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Memory for what the reads of a server hold until their answers are made: blocks larger than usual, and what pages come to. A
 * read that finds no room gives back what it has and begins again, in its turn, with as much as it lacked: so no thread waits,
 * and no read for one that waits for it. Who has been given room has the next thread of its host. One alone may have all that
 * it needs. Hosts take turns as they do for read threads. Any thread.
 */
final class ReadRoom {
    /** Memtables and caches have 60 percent of a heap, requests and answers in flight a quarter: both rooms together have this. */
    private static final int PART_OF_HEAP = 8;

    /** Of that METADATA's has this part, and no more than a large block for each of its readers: its rows are small. */
    private static final int PART_OF_METADATA = 4;

    private static final long MAX_METADATA_BYTES = 64L << 20;

    private static final int MAX_WAITING = 1_000;

    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    private final Turns<Waiting> line = new Turns<>(MAX_WAITING);

    @GuardedBy("lock") private long bytes;

    /** That of users' tables. */
    ReadRoom() {
        this(heapBytes() - metadataBytes());
    }

    ReadRoom(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    static ReadRoom ofMetadata() {
        return new ReadRoom(metadataBytes());
    }

    private static long heapBytes() {
        return Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    }

    private static long metadataBytes() {
        return Math.min(MAX_METADATA_BYTES, heapBytes() / PART_OF_METADATA);
    }

    /** All that there is, for who is not alone. */
    long maxBytes() {
        return maxBytes;
    }

    /** For a read that holds nothing yet. */
    Hold hold() {
        return new Hold(0);
    }

    /** That all reads have of it now. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** What one read has of the room. One thread after the other. */
    final class Hold {
        private final boolean isGiven;
        private long has;
        private long used;
        private boolean refused;

        private Hold(long has) {
            this.has = has;
            this.isGiven = has > 0;
        }

        /** OVERLOADED where there is no room for so much more: the read ends, and may {@link #await} it. */
        void take(long more) throws OverloadedException {
            used += more;
            if (used > has) {
                if (!grow(has, used - has)) {
                    refused = true;
                    throw full(used);
                }
                has = used;
            }
        }

        /** Whether it has waited for room, and has it. */
        boolean isGiven() {
            return isGiven;
        }

        boolean isRefused() {
            return refused;
        }

        /** The read has ended. */
        void end() {
            long gives = has;
            has = 0;
            leave(gives);
        }

        /**
         * The read, which has ended because it was refused, begins again when there is room for it. OVERLOADED where too many wait
         * for that.
         */
        void await(String host, Consumer<Hold> again) throws OverloadedException {
            // Of what it reads it makes an answer, and of a large block a large one.
            long needs = Math.max(used, Math.min(2 * used, maxBytes));
            if (!line.add(host, new Waiting(needs, again))) {
                throw full(used);
            }
            leave(0);
        }
    }

    /** Who needs so much, and what it does then. */
    private record Waiting(long needs, Consumer<Hold> again) {}

    private OverloadedException full(long needs) {
        return new OverloadedException(
                "a read that takes " + needs + " bytes: others hold " + bytes() + " of " + maxBytes,
                CommitQueue.RETRY_AFTER_MILLIS);
    }

    private boolean grow(long has, long more) {
        lock.lock();
        try {
            // Who has nothing yet goes behind those who wait, or they would wait for ever.
            boolean inTurn = has > 0 || line.size() == 0;
            if (inTurn && fits(has, more)) {
                bytes += more;
                return true;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean fits(long has, long more) {
        return bytes == has || bytes + more <= maxBytes;
    }

    /** Some is given back: those begin who have room now. */
    private void leave(long less) {
        List<Waiting> next = new ArrayList<>();
        lock.lock();
        try {
            bytes -= less;
            for (Optional<Waiting> one = nextThatFits(); one.isPresent(); one = nextThatFits()) {
                bytes += one.get().needs();
                next.add(one.get());
            }
        } finally {
            lock.unlock();
        }
        for (Waiting one : next) {
            one.again().accept(new Hold(one.needs()));
        }
    }

    @GuardedBy("lock") private Optional<Waiting> nextThatFits() {
        boolean isEmpty = bytes == 0;
        long free = maxBytes - bytes;
        return line.takeIf(first -> isEmpty || first.needs() <= free);
    }
}
