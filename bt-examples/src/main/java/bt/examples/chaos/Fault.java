package bt.examples.chaos;

import java.io.IOException;

/** Something bad that is done to a cluster, once, and undone. One thread. */
interface Fault {
    /** Does it; to whom, for the journal. What there is nobody to do it to for is UNAVAILABLE. */
    String begin(Stage stage, Strike strike) throws IOException, InterruptedException;

    /**
     * Whether somebody has felt it: asked from when its time is over, before it is undone, often and without waiting. A process that was
     * killed or paused has.
     */
    default boolean isFelt(Stage stage) {
        return true;
    }

    /**
     * How much longer than it should it lasts where nobody has felt it yet. Then it is undone and begun again, for another; where another
     * would feel it no sooner that only keeps those from recovering who should feel it.
     */
    default long patienceMillis() {
        return Performance.TRY_MILLIS;
    }

    /**
     * Undoes what has to be undone. Called if {@link #begin} was, even where it failed, then of what was begun alone. Where it fails it
     * is called again, for {@link Performance#TRY_MILLIS} at most.
     */
    void end(Stage stage) throws IOException, InterruptedException;
}
