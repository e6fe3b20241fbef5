package bt.examples.chaos;

import bt.base.BigtableException;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import java.util.List;

/**
 * A tablet server is killed, and another is started whose wall clock is up to fifty seconds, or two minutes, ahead or behind.
 * The first is near enough; the second must not give anything a time.
 */
final class MovedClock implements Fault {
    private static final int NEAR_MILLIS = 50_000;
    private static final int FAR_MILLIS = 120_000;

    private List<JavaProcess> wrong = List.of();

    @Override
    public String begin(Stage stage, Strike strike) throws IOException, InterruptedException {
        JavaProcess killed = Victim.TABLET_SERVER.find(stage.cluster(), strike);
        int ahead = strike.roll() % 4 == 0 ? FAR_MILLIS : 1_000 + strike.roll() / 4 % NEAR_MILLIS;
        int moved = strike.coin() ? ahead : -ahead;
        stage.cluster().killServer(killed);
        List<JavaProcess> others = stage.cluster().servers();
        stage.cluster().replaceEnded(List.of("-Dbt.clock.ahead.millis=" + moved));
        wrong = stage.cluster().servers().stream()
                .filter(server -> !others.contains(server))
                .toList();
        return wrong.get(0).name() + " is " + moved + " ms ahead; it comes for " + killed.name();
    }

    @Override
    public void end(Stage stage) throws IOException, InterruptedException {
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
