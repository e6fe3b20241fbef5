package bt.examples.recovery;

import java.io.IOException;

/** One of three datanodes is gone, with its connections: every pipeline of a log has lost one. */
final class KillDatanode implements Event {
    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException {
        scene.cluster().stopDatanode();
    }

    @Override
    public void restore(Scene scene) throws IOException {
        scene.cluster().startDatanode();
    }
}
