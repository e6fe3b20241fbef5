package bt.examples.cluster;

import bt.base.UnavailableException;
import java.io.IOException;

/** A process with a place of its own, ports and data: killed, it is started again there. One thread. */
public final class Seat {
    private final Start start;
    private JavaProcess process;

    Seat(Start start) throws IOException {
        this.start = start;
        this.process = start.run();
    }

    /** Starts the process. */
    @FunctionalInterface
    interface Start {
        JavaProcess run() throws IOException;
    }

    /** The one that has it now. */
    public JavaProcess process() {
        return process;
    }

    public void kill() throws InterruptedException, UnavailableException {
        process.kill();
    }

    /** After a kill. Returns before it serves. */
    public void startAgain() throws IOException {
        process = start.run();
    }
}
