package bt.examples.recovery;

import java.io.IOException;

/** SIGKILL to the NameNode, which starts again at once: the operation is its way back, until it has heard of every datanode. */
final class NamenodeRestart implements Event {
    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        scene.cluster().hdfs().nameNode().kill();
        scene.cluster().hdfs().nameNode().startAgain();
        scene.cluster().hdfs().awaitWhole();
    }

    /** No tablet server has died of it: the cluster is whole with those that it had. */
    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().awaitWhole();
    }
}
