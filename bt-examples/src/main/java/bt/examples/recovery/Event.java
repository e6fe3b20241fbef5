package bt.examples.recovery;

import java.io.IOException;

/** Something that happens to a cluster, once. One thread. */
interface Event {
    /** What is written before, and not compacted when it happens. */
    Filling prepare(Scene scene) throws IOException, InterruptedException;

    /** Makes it happen. */
    void strike(Scene scene) throws IOException, InterruptedException;

    /** Undoes it, once the table answers again. */
    void restore(Scene scene) throws IOException, InterruptedException;

    /** Whether its measure is for how long METADATA's own tablets refuse, and not those of the table. */
    default boolean isOfMetadata() {
        return false;
    }

    /** Whether it concerns tablets one by one, and not all at once. */
    default boolean isOfOneTablet() {
        return false;
    }
}
