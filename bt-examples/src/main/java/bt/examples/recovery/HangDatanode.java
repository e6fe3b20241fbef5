package bt.examples.recovery;

import static java.util.Objects.requireNonNull;

import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * SIGSTOP to the datanode that most open segments of logs are on: its connections stay open, so the pipelines that it is in wait
 * for it, and the NameNode gives it to new files for ten minutes more. A log that was left for that goes to the others and stays
 * there, so in the next run it is one of these that hangs.
 */
final class HangDatanode implements Event {
    private @Nullable JavaProcess victim;

    @Override
    public Filling prepare(Scene scene) throws IOException {
        victim = scene.cluster().hdfs().mostWritten(scene.cluster().root() + "/log");
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        chosen().pause();
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        chosen().resume();
        scene.cluster().hdfs().awaitHeard();
    }

    private JavaProcess chosen() {
        return requireNonNull(victim, "prepare chooses it");
    }
}
