package bt.sstable;

import bt.base.BigtableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What the calling thread's present read does, counted, and on what terms: how far it goes before it is looked at again,
 * and whether it may wait for the file store. Reads that nobody gave terms to go as far as they like. One thread, which has
 * one read at a time; what it reads within that, as for a script, is part of it.
 */
public final class ReadWork {
    private static final ThreadLocal<ReadWork> OF_THREAD = ThreadLocal.withInitial(ReadWork::new);
    private static final int MAX_MARKS = 32;

    /** Copied, encoded and summed up as long as one change is looked at, which is about 0.1 microseconds. */
    private static final int BYTES_OF_A_STEP = 256;

    /** More than the blocks of most reads and what they show come to, but full pages: who holds no more asks nobody. */
    private static final long HELD_UNASKED_BYTES = 1 << 20;

    private static final long ASKED_AT_ONCE_BYTES = 1 << 20;

    private final AtomicLongArray[] marked = new AtomicLongArray[MAX_MARKS];
    private final int[] markedAt = new int[MAX_MARKS];
    private final long[] marks = new long[MAX_MARKS];
    private int markCount;

    private Terms terms = Terms.NONE;
    private long left = Long.MAX_VALUE;

    /** All that it was given to go, in sums that may wrap. */
    private long given = Long.MAX_VALUE;

    private boolean hasEnd;
    private long endNanos;
    private boolean overdue;
    private long heldBytes;
    private long mayHoldBytes = HELD_UNASKED_BYTES;

    /** Of what it holds, what it goes on to hold with its next page. */
    private long keptBytes;

    /** Large arrays that it holds until it has come past them: a few for each file. */
    private final List<byte[]> passing = new ArrayList<>();

    private int memtables;
    private int entriesFound;
    private int blocksFound;
    private int blocksRead;
    private int copiesRead;
    private long bytesRead;
    private long waitedNanos;

    private ReadWork() {}

    public static ReadWork ofThread() {
        return OF_THREAD.get();
    }

    /** What a read may do. */
    public interface Terms {
        Terms NONE = new Terms() {};

        /** Whether it is worth beginning what only the file store can end. */
        default boolean mayWait() {
            return true;
        }

        /** Steps that it may go before this is asked again; fails when it is to end instead. */
        default long more() throws BigtableException {
            return Long.MAX_VALUE;
        }

        /** It has to wait for the file store now; fails when it is to end instead. */
        default void beforeWaiting() throws BigtableException {}

        /** It is about to hold so many bytes more, for as long as it lasts; fails when it is to end instead. */
        default void hold(long bytes) throws BigtableException {}

        /** Whether it may read a copy on a disk of this machine: where it was read lately, that is in memory. */
        default boolean mayReadCopies() {
            return true;
        }

        /** Monotonic nanoseconds, to tell how long it waited. */
        default long nanos() {
            return 0;
        }

        /** A copy was read, in so long. */
        default void copyTook(long nanos) {}
    }

    /** A read begins, of so many steps before more are asked for; whatever the one before has left is forgotten. */
    public void begin(Terms newTerms, long steps) {
        clear();
        terms = newTerms;
        left = steps;
        given = steps;
    }

    /** The read that has begun is to have its answer so soon, where that can be a part of it: another goes on from there. */
    public void endAfter(long nanos) {
        hasEnd = true;
        endNanos = terms.nanos() + nanos;
    }

    /** Whether that time is over, as far as is known: it is looked at as often as the terms are, and before each wait. */
    public boolean isOverdue() {
        return overdue;
    }

    /** Something may have taken long that is no step: fails when it is to end. */
    public void look() throws BigtableException {
        terms.beforeWaiting();
        lookAtTime();
    }

    private void lookAtTime() {
        overdue = hasEnd && terms.nanos() - endNanos > 0;
    }

    /** The steps that it may still go; negative where there were too few. */
    public long left() {
        return left;
    }

    /** The steps that it has gone. */
    public long steps() {
        return given - left;
    }

    /** It came to its end, with its answer. */
    public void complete() {
        for (int i = 0; i < markCount; i++) {
            marked[i].set(markedAt[i], marks[i]);
        }
        markCount = 0;
    }

    /** What it has counted stays until the next one begins. */
    public void end() {
        terms = Terms.NONE;
        given += Long.MAX_VALUE - left;
        left = Long.MAX_VALUE;
        markCount = 0;
        passing.clear();
        hasEnd = false;
        overdue = false;
    }

    /** It has looked at one change more. */
    public void step() throws BigtableException {
        if (--left < 0) {
            long more = terms.more();
            given += more - left;
            left = more;
            lookAtTime();
        }
    }

    /** It takes a value of so many bytes, which is as much work as some steps. */
    public void take(int bytes) throws BigtableException {
        left -= bytes / BYTES_OF_A_STEP;
        step();
    }

    /**
     * It is about to have so many bytes more in memory: blocks that it reads, until it has come past them, and what it shows,
     * until its answer is sent. Beyond what every read may hold it is asked whether there is room.
     */
    public void hold(long bytes) throws BigtableException {
        heldBytes += bytes;
        if (heldBytes > mayHoldBytes) {
            long more = Math.max(ASKED_AT_ONCE_BYTES, heldBytes - mayHoldBytes);
            terms.hold(more);
            mayHoldBytes += more;
        }
    }

    /** Of what it held it has let go of so much: that room is its own for what comes. */
    void letGo(long bytes) {
        heldBytes -= bytes;
    }

    /** Of all but what it {@link #keep}s: a page begins, and what its reader wants of the one before is in other hands. */
    public void letGo() {
        passing.clear();
        heldBytes = keptBytes;
    }

    /** So much of its pages stays, with what is made of that, as long as it lasts. */
    public void keep(long bytes) throws BigtableException {
        keptBytes += bytes;
        hold(Math.max(0, keptBytes - heldBytes));
    }

    /** It {@link #hold}s all of an array, until it has {@link #passed} it, unless something of it {@link #stays}. */
    void passes(byte[] array) {
        // Of who has no terms nobody asks what it holds, nor is there an end to that.
        if (terms != Terms.NONE) {
            passing.add(array);
        }
    }

    /** It has come past an array, and shows no more of it. */
    void passed(byte[] array) {
        if (ReadBuffer.isNew(array.length) && isTakenFromPassing(array)) {
            letGo(array.length);
        }
    }

    /** The page shows something of the array. True where all of that is held already, as it is from here on. */
    public boolean stays(byte[] array) {
        return ReadBuffer.isNew(array.length) && isTakenFromPassing(array);
    }

    private boolean isTakenFromPassing(byte[] array) {
        for (int i = passing.size() - 1; i >= 0; i--) {
            if (passing.get(i) == array) {
                passing.set(i, passing.get(passing.size() - 1));
                passing.remove(passing.size() - 1);
                return true;
            }
        }
        return false;
    }

    /** It looks into so many memtables more. */
    public void countMemtable() {
        memtables++;
    }

    void countEntries() {
        entriesFound++;
    }

    void countFound() {
        blocksFound++;
    }

    /** Bytes came from the file store, since {@link #beforeWaiting} told the time. */
    void countRead(long bytes, long sinceNanos) {
        blocksRead++;
        bytesRead += bytes;
        waitedNanos += terms.nanos() - sinceNanos;
    }

    /** Bytes came from a copy on a disk of this machine, since {@link #nanos} told the time. */
    void countCopy(int bytes, long sinceNanos) throws BigtableException {
        copiesRead++;
        long waitedBefore = waitedNanos;
        countRead(bytes, sinceNanos);
        terms.copyTook(waitedNanos - waitedBefore);
        take(bytes);
    }

    boolean mayReadCopies() {
        return terms.mayReadCopies();
    }

    long nanos() {
        return terms.nanos();
    }

    boolean mayWait() {
        return terms.mayWait();
    }

    long beforeWaiting() throws BigtableException {
        look();
        return terms.nanos();
    }

    /**
     * Sets a place of an array once the read has come to its end: at once if it goes on to that, else only if it does, for a
     * read that another thread begins anew must not be counted as two.
     */
    void mark(AtomicLongArray array, int at, long mark) {
        if (terms.mayWait()) {
            array.set(at, mark);
        } else if (markCount < MAX_MARKS) {
            marked[markCount] = array;
            markedAt[markCount] = at;
            marks[markCount++] = mark;
        }
    }

    /** Memtables that it looked into. */
    public int memtables() {
        return memtables;
    }

    /** Rows or columns of files that the scan cache had. */
    public int entriesFound() {
        return entriesFound;
    }

    /** Blocks that were in memory, but those that are there as long as their file is open. */
    public int blocksFound() {
        return blocksFound;
    }

    /** How often it read from the file store: a block, or several at once. */
    public int blocksRead() {
        return blocksRead;
    }

    /** How many of these came from a copy on a disk of this machine. */
    public int copiesRead() {
        return copiesRead;
    }

    /** Bytes that it read from the file store, compressed as they lie there. */
    public long bytesRead() {
        return bytesRead;
    }

    /** How long it waited for the file store. */
    public long waitedNanos() {
        return waitedNanos;
    }

    private void clear() {
        hasEnd = false;
        overdue = false;
        heldBytes = 0;
        keptBytes = 0;
        passing.clear();
        mayHoldBytes = HELD_UNASKED_BYTES;
        markCount = 0;
        memtables = 0;
        entriesFound = 0;
        blocksFound = 0;
        blocksRead = 0;
        copiesRead = 0;
        bytesRead = 0;
        waitedNanos = 0;
    }
}
