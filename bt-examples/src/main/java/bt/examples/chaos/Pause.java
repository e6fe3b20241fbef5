package bt.examples.chaos;

import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** SIGSTOP, and SIGCONT when it is over: the process does not know that time has passed. */
final class Pause implements Fault {
    private final Victim victim;
    private @Nullable JavaProcess paused;

    Pause(Victim victim) {
        this.victim = victim;
    }

    @Override
    public String begin(Stage stage, Strike strike) throws IOException, InterruptedException {
        JavaProcess process = victim.find(stage.cluster(), strike);
        paused = process;
        process.pause();
        return process.name();
    }

    @Override
    public void end(Stage stage) throws IOException, InterruptedException {
        if (paused != null && paused.isAlive()) {
            paused.resume();
        }
    }
}
