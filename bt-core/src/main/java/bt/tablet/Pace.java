package bt.tablet;

/** How fast a compaction may go. */
@FunctionalInterface
public interface Pace {
    /** As fast as it can. */
    Pace AT_ONCE = bytes -> {};

    /** Waits until so many more bytes may be read and written. */
    void spend(long bytes) throws InterruptedException;
}
