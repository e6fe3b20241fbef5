package bt.examples.recovery;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * SIGSTOP to a tablet server: its connections stay open, and nobody is told. Once it wakes and finds itself replaced it must end
 * by itself.
 */
final class HangServer implements Event {
    private static final long END_MILLIS = 20_000;

    private final boolean root;
    private @Nullable JavaProcess victim;

    private HangServer(boolean root) {
        this.root = root;
    }

    /** One that has no tablet of METADATA, and a log that no compaction has made needless. */
    static HangServer ofUsers() {
        return new HangServer(false);
    }

    /** The one that has the root tablet: where tablets are now is asked for where nobody answers. */
    static HangServer ofRoot() {
        return new HangServer(true);
    }

    @Override
    public Filling prepare(Scene scene) throws BigtableException, InterruptedException {
        JavaProcess chosen = root ? scene.rootServer() : scene.userServer();
        victim = chosen;
        return root ? Filling.none() : new Filling(scene.restingOn(chosen), scene.fillingBytes());
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        scene.cluster().hangServer(requireNonNull(victim, "prepare chooses it"));
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        JavaProcess hung = requireNonNull(victim, "prepare chooses it");
        hung.resume();
        scene.awaitEnd(hung, END_MILLIS, "though others have its tablets");
        scene.cluster().makeWhole();
    }
}
