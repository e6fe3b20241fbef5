package bt.examples.chaos;

import bt.base.BigtableException;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tablet server is killed, and another is started whose wall clock is up to fifty seconds, or two minutes, ahead or behind.
 * The first is near enough, and has been felt when it has a tablet; the second must not give anything a time, and has been felt when it
 * saw so and ended.
 */
final class MovedClock implements Fault {
    private static final int NEAR_MILLIS = 50_000;
    private static final int FAR_MILLIS = 120_000;

    private List<JavaProcess> wrong = List.of();
    private @Nullable Watch atWork;

    @Override
    public String begin(Stage stage, Strike strike) throws IOException, InterruptedException {
        JavaProcess killed = Victim.TABLET_SERVER.find(stage.cluster(), strike);
        int ahead = strike.roll() % 4 == 0 ? FAR_MILLIS : 1_000 + strike.roll() / 4 % NEAR_MILLIS;
        int millis = strike.coin() ? ahead : -ahead;
        stage.cluster().killServer(killed);
        List<JavaProcess> others = stage.cluster().servers();
        stage.cluster().replaceEnded(List.of("-Dbt.clock.ahead.millis=" + millis));
        wrong = stage.cluster().servers().stream()
                .filter(server -> !others.contains(server))
                .toList();
        JavaProcess moved = wrong.get(0);
        atWork = Watch.start(
                "a moved clock",
                stage.scheduler(),
                () -> ahead == FAR_MILLIS ? isRefused(moved) : isAtWork(stage, moved));
        return moved.name() + " is " + millis + " ms ahead; it comes for " + killed.name();
    }

    private static boolean isAtWork(Stage stage, JavaProcess server) throws IOException {
        return server.isAlive() && stage.cluster().tabletsOf(server) > 0;
    }

    /** It is told so as it registers, and its log tells us. */
    private static boolean isRefused(JavaProcess server) throws IOException {
        return !server.isAlive() && server.hasSaid("this machine's clock is ");
    }

    @Override
    public boolean isFelt(Stage stage) {
        return atWork != null && atWork.hasSeen();
    }

    @Override
    public void end(Stage stage) throws IOException, InterruptedException {
        if (atWork != null) {
            atWork.end();
        }
        for (JavaProcess server : wrong) {
            try {
                stage.cluster().killServer(server);
            } catch (BigtableException stays) {
                stage.journal().say(stays.getMessage());
            }
        }
        stage.cluster().replaceEnded(List.of());
    }
}
