package bt.examples.recovery;

import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import java.util.List;

/** SIGSTOP to one of three datanodes: its connections stay open, so every pipeline of a log waits for it. */
final class HangDatanode implements Event {
    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        last(scene).pause();
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        last(scene).resume();
        scene.cluster().hdfs().awaitWhole();
    }

    private static JavaProcess last(Scene scene) {
        List<JavaProcess> datanodes = scene.cluster().hdfs().datanodes().stream()
                .map(seat -> seat.process())
                .toList();
        return datanodes.get(datanodes.size() - 1);
    }
}
