package bt.examples.recovery;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** SIGKILL to a tablet server; its exit is reported, as YARN's application master does, or is not. */
final class KillServer implements Event {
    private final boolean root;
    private final boolean reported;
    private @Nullable JavaProcess victim;

    private KillServer(boolean root, boolean reported) {
        this.root = root;
        this.reported = reported;
    }

    /** One that has no tablet of METADATA, and a log that no compaction has made needless. */
    static KillServer ofUsers() {
        return new KillServer(false, true);
    }

    /** The one that has the root tablet. */
    static KillServer ofRoot() {
        return new KillServer(true, true);
    }

    /** As {@link #ofUsers}, but nobody tells the master: what is left is the end of the session. */
    static KillServer unreported() {
        return new KillServer(false, false);
    }

    @Override
    public Filling prepare(Scene scene) throws BigtableException, InterruptedException {
        JavaProcess chosen = root ? scene.rootServer() : scene.userServer();
        victim = chosen;
        return root ? Filling.none() : new Filling(scene.restingOn(chosen), scene.fillingBytes());
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        JavaProcess killed = requireNonNull(victim, "prepare chooses it");
        scene.cluster().killServer(killed);
        if (reported) {
            scene.cluster().bigtable().admin().processExited(killed.name());
        }
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().makeWhole();
    }
}
