package bt.examples.recovery;

import static java.util.Objects.requireNonNull;

import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit thread of a tablet server stops for ever, by a debugger: all other threads of the process go on, those that
 * keep its session and its lease alive too. The server must notice, and end by itself.
 */
final class HangCommits implements Event {
    private static final String THREAD = "commit";
    private static final long END_MILLIS = 60_000;

    private @Nullable JavaProcess victim;

    @Override
    public Filling prepare(Scene scene) throws IOException, InterruptedException {
        JavaProcess debugged = replaceByADebuggable(scene);
        victim = debugged;
        return new Filling(scene.restingOn(debugged), scene.fillingBytes());
    }

    private static JavaProcess replaceByADebuggable(Scene scene) throws IOException, InterruptedException {
        JavaProcess replaced = scene.userServer();
        scene.cluster().killServer(replaced);
        scene.cluster().bigtable().admin().processExited(replaced.name());
        List<JavaProcess> others = List.copyOf(scene.cluster().servers());
        scene.cluster().replaceEnded(Debugger.OPTIONS);
        scene.cluster().awaitWhole();
        scene.table().spread(scene.cluster().addresses());
        return scene.cluster().servers().stream()
                .filter(server -> !others.contains(server))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        JavaProcess hung = requireNonNull(victim, "prepare chooses it");
        Debugger.suspend(hung, THREAD);
        scene.awaitEnd(hung, END_MILLIS, "without its thread " + THREAD);
        List<JavaProcess> unused = scene.cluster().replaceEnded(List.of());
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().makeWhole();
    }
}
