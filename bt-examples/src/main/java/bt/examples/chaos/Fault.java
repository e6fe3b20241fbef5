package bt.examples.chaos;

import java.io.IOException;

/** Something bad that is done to a cluster, once, and undone. One thread. */
interface Fault {
    /** Does it; to whom, for the journal. What there is nobody to do it to for is UNAVAILABLE. */
    String begin(Stage stage, Strike strike) throws IOException, InterruptedException;

    /**
     * Whether what it is for has happened: asked when its time is over, before it is undone. One that could be begun has, but where
     * others have to do something.
     */
    default boolean hasHappened(Stage stage) throws IOException, InterruptedException {
        return true;
    }

    /** Undoes what has to be undone. Called if {@link #begin} was, even where it failed. */
    void end(Stage stage) throws IOException, InterruptedException;
}
