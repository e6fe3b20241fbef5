package bt.tabletserver;

import static bt.base.Check.checkArgument;

import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.tablet.Compacted;
import bt.tablet.Foreseen;
import bt.tablet.OpenWrites;
import bt.tablet.Tablet;
import bt.tabletserver.TabletSet.Holding;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much of a server's heap its tablets take of which nobody asks anything: what there is of each, its row of METADATA, and a reader of each
 * of its files. With more than there is memory for the server would end, and so would the next that is given them, and the
 * next. So a load that finds no room fails, and the master tries another server. METADATA's tablets always have room.
 * Before the last of it is taken none is split, and none moved here while others have room. What another server has served is loaded
 * beyond it: who creates many keeps nobody's from being served when a server dies or stops. What writes bring that is new to served
 * tablets ends where new tablets do ({@link WriteRoom}). Any thread.
 */
final class TabletMemory {
    /**
     * Of a server's heap, where nothing else is set: what memtables, caches and reads have by default leave little more. When servers die
     * half as much again may be taken, which is of what is left for work.
     */
    private static final int SHARE_OF_HEAP = 8;

    /** Tablets come and go by hundreds in a second; to go through all of them for each would take longer than a load. */
    private static final long COUNTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** With less of all left none is moved here, nor split: it may be larger than most, and would be refused, and tried elsewhere, again and again. */
    private static final int PART_LEFT = 8;

    /** Of all so much more is for what another server has served. */
    private static final int PART_FOR_SERVED = 2;

    /** It ends when tablets are merged or dropped, or servers come: tried each moment, such tablets would keep a cluster from settling. */
    static final long RETRY_MILLIS = 30_000;

    private final TabletSet tablets;
    private final Clock clock;
    private final long mostBytes;
    private final ServedBytes served;
    private final ReentrantLock lock = new ReentrantLock();

    /** What those take that are being loaded, and have been given room. */
    @GuardedBy("lock") private final Map<TabletId, Long> coming = new HashMap<>();

    /** What the new halves take of those that are being split. */
    @GuardedBy("lock") private long splittingBytes;

    /** Those of splits that have ended: they count until their tablets do. */
    @GuardedBy("lock") private long splitBytes;

    /** What has been given room and is not served. */
    private volatile long promisedBytes;

    @GuardedBy("lock") private long countedNanos;

    /** So many bytes; 0: the share of a heap of this size. */
    TabletMemory(TabletSet tablets, Clock clock, long mostBytes, long heapBytes) {
        checkArgument(mostBytes >= 0 && heapBytes > 0, "%d bytes of a heap of %d", mostBytes, heapBytes);
        this.tablets = tablets;
        this.clock = clock;
        this.mostBytes = mostBytes == 0 ? heapBytes / SHARE_OF_HEAP : mostBytes;
        this.served = new ServedBytes(tablets, this.mostBytes);
        this.countedNanos = clock.nanos() - COUNTED_NANOS;
    }

    /**
     * A tablet that is being loaded is about to be opened, as its row says. OVERLOADED where it finds no room. What another server had
     * served finds some where none that is new does: however many are created, all is served when a server dies or stops.
     */
    void take(MetadataRow row) throws OverloadedException {
        if (row.id().tableId() == TableSchema.METADATA_ID) {
            return;
        }
        long more = served.counted(row, TabletBytes.unopened(row));
        lock.lock();
        try {
            if (more > (TabletStates.wasServed(row.state()) ? leftForServed() : left())) {
                throw new OverloadedException(
                        "it takes " + more + " bytes of the server's memory: " + stand(), RETRY_MILLIS);
            }
            coming.put(row.id(), more);
            promise();
        } finally {
            lock.unlock();
        }
    }

    /** It is open now, and its files, and what logs held of it, tell what they keep: those that are loaded next find that taken. */
    void opened(MetadataRow row, Tablet tablet) {
        long known = served.counted(row, tablet);
        lock.lock();
        try {
            coming.computeIfPresent(row.id(), (id, before) -> known);
            promise();
        } finally {
            lock.unlock();
        }
    }

    /** Why a tablet that is served here should not be split: its new half would take the last of the room. */
    Optional<String> whyNotSplit(MetadataRow row, long propertiesBytes) {
        if (row.id().tableId() == TableSchema.METADATA_ID) {
            return Optional.empty();
        }
        long more = served.counted(row, propertiesBytes);
        lock.lock();
        try {
            return mayHalve(more)
                    ? Optional.empty()
                    : Optional.of("its new half takes " + more + " bytes of the server's memory: " + stand());
        } finally {
            lock.unlock();
        }
    }

    /**
     * A tablet that is served here is about to be split: its new half counts until that has ended, and then as those do that are served.
     * REJECTED where there is no room for it.
     */
    void takeHalf(MetadataRow row, long propertiesBytes, CompletableFuture<?> split) throws RejectedException {
        if (row.id().tableId() == TableSchema.METADATA_ID) {
            return;
        }
        // Of the files, which both show, it may have all.
        long more = served.counted(row, propertiesBytes);
        lock.lock();
        try {
            Optional<String> why = whyNotSplit(row, propertiesBytes);
            if (why.isPresent()) {
                throw new RejectedException(
                        row.id().inWords() + " is not split: " + why.get(), "have it split when there is room");
            }
            splittingBytes += more;
            promise();
        } finally {
            lock.unlock();
        }
        CompletableFuture<?> unused = split.whenComplete((done, failure) -> giveBack(more));
    }

    private void giveBack(long bytes) {
        lock.lock();
        try {
            splitBytes += bytes;
            // It is one of those that are served now.
            countedNanos = clock.nanos() - COUNTED_NANOS;
        } finally {
            lock.unlock();
        }
    }

    /** All that is taken, as far as was counted last and is known since. Never waits. */
    long takenBytes() {
        return served.bytes() + promisedBytes;
    }

    /** Whether files are to become fewer: more than the share is taken. */
    boolean isPressed() {
        // Whoever writes files may be the only one to whom that matters, and they are what has come since the last
        // count.
        look();
        return takenBytes() > mostBytes;
    }

    /**
     * A compaction of a tablet has written these. Those count at once that are more than it replaces and than were foreseen: until all is counted again
     * there could be hundreds of others.
     */
    void wrote(Tablet tablet, Compacted compacted) {
        // Of its files of open writes a tablet keeps the newest.
        int written = (int) compacted.written().stream()
                .filter(file -> !OpenWrites.isFile(file))
                .count();
        int more = written - compacted.replaced().size() - tablet.foreseen().files();
        if (more > 0) {
            served.foresee(tablet.id().tableId(), TabletBytes.of(new Foreseen(more, 0, more)));
        }
    }

    /** What those take that are served. */
    ServedBytes served() {
        return served;
    }

    /** What is left of its share for what is new, as far as was counted last and is known since. Never waits. */
    long leftBytes() {
        return mostBytes - takenBytes();
    }

    /** All that there is for what is new. */
    long mostBytes() {
        return mostBytes;
    }

    /** With less left it is full. */
    long reserve() {
        return Math.max(mostBytes / PART_LEFT, TabletBytes.LIKE_MOST);
    }

    /** Counts what is served, if that was not done within a second. */
    void look() {
        lock.lock();
        try {
            countInTime();
        } finally {
            lock.unlock();
        }
    }

    /** How much is taken, and what to do. */
    String inWords() {
        lock.lock();
        try {
            return stand();
        } finally {
            lock.unlock();
        }
    }

    /** Whether no tablet should be moved here. */
    boolean isFull() {
        lock.lock();
        try {
            return isNearlyFull();
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has hardly room for what another has served either. */
    boolean isOverfull() {
        lock.lock();
        try {
            return leftForServed() < reserve();
        } finally {
            lock.unlock();
        }
    }

    /** For operators, what it does not do for want of room. */
    Optional<String> problem() {
        lock.lock();
        try {
            if (!isNearlyFull()) {
                return Optional.empty();
            }
            String what = left() >= TabletBytes.LIKE_MOST
                    ? "it splits no tablets, and takes none while others have room: "
                    : leftForServed() >= TabletBytes.LIKE_MOST
                            ? "it loads no new tablets: "
                            : "it can load no more tablets: ";
            return Optional.of(what + stand());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private boolean isNearlyFull() {
        return left() < reserve();
    }

    /** Half as much again: of three servers two have room for what the third had. */
    @GuardedBy("lock") private long leftForServed() {
        return mostBytes + mostBytes / PART_FOR_SERVED - taken();
    }

    @GuardedBy("lock") private boolean mayHalve(long bytes) {
        return !isNearlyFull() && bytes <= left();
    }

    @GuardedBy("lock") private long left() {
        return mostBytes - taken();
    }

    @GuardedBy("lock") private long taken() {
        countInTime();
        return takenBytes();
    }

    @GuardedBy("lock") private void promise() {
        promisedBytes = splittingBytes
                + coming.values().stream().mapToLong(bytes -> bytes).sum();
    }

    @GuardedBy("lock") private void countInTime() {
        long now = clock.nanos();
        if (now - countedNanos >= COUNTED_NANOS) {
            countedNanos = now;
            // What has ended otherwise than by being served has let its tablet go.
            coming.keySet()
                    .removeIf(id -> tablets.get(id).filter(Holding::isLoading).isEmpty());
            served.count();
            splittingBytes -= splitBytes;
            splitBytes = 0;
            promise();
        }
    }

    @GuardedBy("lock") private String stand() {
        return served.tablets() + " tablets and " + coming.size() + " that are being loaded take " + taken() + " of "
                + mostBytes
                + " bytes: start another server, drop tables, or give servers a larger heap or a larger tabletserver.tablets.bytes";
    }
}
