package bt.examples.recovery;

import bt.base.BigtableException;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;

/** Everything that a tablet server has is moved to the others. */
final class Drain implements Event {
    private String victim = "";

    @Override
    public Filling prepare(Scene scene) throws BigtableException, InterruptedException {
        JavaProcess drained = scene.userServer();
        victim = scene.cluster().addressOf(drained);
        return new Filling(scene.restingOn(drained), scene.fillingBytes() / 4);
    }

    @Override
    public void strike(Scene scene) throws BigtableException {
        scene.cluster().bigtable().admin().drainServer(victim);
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().bigtable().admin().undrainServer(victim);
        scene.cluster().makeWhole();
    }

    @Override
    public boolean isOfOneTablet() {
        return true;
    }
}
