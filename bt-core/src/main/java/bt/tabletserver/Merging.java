package bt.tabletserver;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What is going on with the files of a tablet that is served here: which compaction waits, which is at work. Any thread. */
final class Merging {
    private final AtomicBoolean queued = new AtomicBoolean();
    private final AtomicBoolean queuedPromised = new AtomicBoolean();
    private final AtomicBoolean queuedCrowded = new AtomicBoolean();
    private final AtomicBoolean reserved = new AtomicBoolean();
    private final AskedCompaction asked = new AskedCompaction();
    private final AskedCompaction askedFlush = new AskedCompaction();
    private final Trouble flushTrouble = new Trouble();
    private volatile boolean running;
    private volatile boolean inDoubt;
    private volatile @Nullable Unnamed unnamed;

    /** Whether a look at the tablet waits in this line; of each one does. */
    AtomicBoolean queued(MergeLine line) {
        return switch (line) {
            case CROWDED -> queuedCrowded;
            case PROMISED -> queuedPromised;
            case USUAL -> queued;
        };
    }

    /** The one that somebody has asked for. */
    AskedCompaction asked() {
        return asked;
    }

    /** The flush that somebody has asked for. */
    AskedCompaction askedFlush() {
        return askedFlush;
    }

    /** Why memtables of the tablet do not become files, if they do not. */
    Trouble flushTrouble() {
        return flushTrouble;
    }

    /** The files of the oldest frozen memtable, where METADATA was asked in vain to name them; only the tablet's jobs. */
    Optional<Unnamed> unnamed() {
        return Optional.ofNullable(unnamed);
    }

    /** METADATA did not answer. */
    void keep(Unnamed inDoubt) {
        unnamed = inDoubt;
    }

    /** It has: what waited is named, or never will be. Files that were compacted with it are free again. */
    void settled() {
        Unnamed kept = unnamed;
        unnamed = null;
        if (kept != null && !kept.compacted().replaced().isEmpty()) {
            free();
        }
    }

    /** True when nobody is compacting files of the tablet, and from then on nobody else does until {@link #free}. */
    boolean reserve() {
        return reserved.compareAndSet(false, true);
    }

    void free() {
        running = false;
        inDoubt = false;
        reserved.set(false);
    }

    /** Whoever has reserved it compacts files alone, without a memtable. */
    void run() {
        running = true;
    }

    /** METADATA did not answer whoever compacts files alone, and is asked again; until {@link #free}. */
    void doubt() {
        inDoubt = true;
    }

    /** Whether METADATA may name other files than the tablet has: who names some instead must know first. */
    boolean isInDoubt() {
        return inDoubt || unnamed != null;
    }

    /** Whether a compaction of files alone is at work. */
    boolean isRunning() {
        return running;
    }
}
