package bt.examples.chaos;

import bt.base.BigtableException;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** SIGKILL; another is started in its place when it is over. Of every second tablet server the exit is reported, as YARN would. */
final class Kill implements Fault {
    private final Victim victim;
    private @Nullable JavaProcess killed;

    Kill(Victim victim) {
        this.victim = victim;
    }

    @Override
    public String begin(Stage stage, Strike strike) throws IOException, InterruptedException {
        JavaProcess process = victim.find(stage.cluster(), strike);
        killed = process;
        victim.kill(stage.cluster(), process);
        boolean reported = victim == Victim.TABLET_SERVER && strike.coin();
        if (reported) {
            report(stage, process);
        }
        return process.name() + (reported ? ", its exit is reported" : "");
    }

    private static void report(Stage stage, JavaProcess process) {
        stage.cluster().scheduler().start("report of " + process.name(), () -> {
            try {
                stage.cluster().bigtable().admin().processExited(process.name());
            } catch (BigtableException noMaster) {
                // Then the end of its session tells it.
            }
        });
    }

    @Override
    public void end(Stage stage) throws IOException, InterruptedException {
        if (killed != null) {
            victim.startAgain(stage.cluster(), killed);
        }
    }
}
