package bt.examples.chaos;

import java.io.IOException;

/** Something bad that is done to a cluster, once, and undone. One thread. */
interface Fault {
    /** Does it; to whom, for the journal. What there is nobody to do it to for is UNAVAILABLE. */
    String begin(Stage stage, Strike strike) throws IOException, InterruptedException;

    /** Undoes what has to be undone. Called if {@link #begin} was, even where it failed. */
    void end(Stage stage) throws IOException, InterruptedException;
}
