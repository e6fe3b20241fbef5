package bt.examples.recovery;

import bt.base.UnavailableException;
import bt.examples.cluster.Seat;
import java.io.IOException;
import java.util.List;

/** One of three datanodes is gone, with its connections: every pipeline of a log has lost one. */
final class KillDatanode implements Event {
    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws InterruptedException, UnavailableException {
        last(scene).kill();
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        last(scene).startAgain();
        scene.cluster().hdfs().awaitHeard();
    }

    private static Seat last(Scene scene) {
        List<Seat> datanodes = scene.cluster().hdfs().datanodes();
        return datanodes.get(datanodes.size() - 1);
    }
}
