package bt.examples.recovery;

import java.io.IOException;

/** SIGKILL to ZooKeeper, and a new start of it when all sessions and leases are over. */
final class ZooKeeperOutage implements Event {
    static final long OUTAGE_MILLIS = 15_000;

    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        scene.cluster().killZooKeeper();
        scene.cluster().scheduler().pause(OUTAGE_MILLIS);
        scene.cluster().startZooKeeper();
    }

    /** No tablet server has died of it: the cluster is whole with those that it had. */
    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().awaitWhole();
    }
}
