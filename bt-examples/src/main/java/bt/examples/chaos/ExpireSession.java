package bt.examples.chaos;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.examples.cluster.HeldLock;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.TcpProxy;
import bt.examples.cluster.TcpProxy.Weather;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tablet server, or the master that rules, is cut off from ZooKeeper, and from nothing else, until its session has expired, which is
 * when its lock is gone, seen over a session of our own. It may be told by closed connections, or by nothing at all.
 */
final class ExpireSession implements Fault {
    private @Nullable TcpProxy door;
    private @Nullable Watch gone;

    /** Who may lose something. */
    private record Holder(JavaProcess process, HeldLock lock) {}

    @Override
    public String begin(Stage stage, Strike strike) throws IOException {
        List<JavaProcess> all = new ArrayList<>(stage.cluster().servers());
        all.addAll(stage.cluster().masters());
        List<Holder> holders = new ArrayList<>();
        for (JavaProcess process : all.stream().filter(JavaProcess::isAlive).toList()) {
            stage.cluster().lockOf(process).ifPresent(held -> holders.add(new Holder(process, held)));
        }
        if (holders.isEmpty()) {
            throw new UnavailableException("nobody holds a lock", Outcome.NOT_APPLIED);
        }
        Holder chosen = strike.choose(holders);
        TcpProxy found = stage.cluster().toZooKeeper().of(chosen.process());
        door = found;
        gone = Watch.start(
                "a session", stage.scheduler(), () -> !stage.cluster().isHeld(chosen.lock()));
        found.set(strike.coin() ? Weather.CUT : Weather.SILENT);
        return chosen.process().name() + (strike.coin() ? ", cut off from ZooKeeper" : ", silence from ZooKeeper")
                + "; it holds " + chosen.lock().path();
    }

    @Override
    public boolean isFelt(Stage stage) {
        return gone != null && gone.hasSeen();
    }

    @Override
    public void end(Stage stage) throws UnavailableException {
        if (gone != null) {
            gone.end();
        }
        if (door != null) {
            door.set(Weather.FAIR);
        }
    }
}
