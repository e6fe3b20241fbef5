package bt.examples.chaos;

import bt.base.UnavailableException;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.TcpProxy;
import bt.examples.cluster.TcpProxy.Weather;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tablet server or master is cut off from ZooKeeper, and from nothing else, until its session has expired. It may be told by
 * closed connections, or by nothing at all.
 */
final class ExpireSession implements Fault {
    private @Nullable TcpProxy door;

    @Override
    public String begin(Stage stage, Strike strike) throws IOException {
        List<JavaProcess> all = new ArrayList<>(stage.cluster().servers());
        all.addAll(stage.cluster().masters());
        JavaProcess process = strike.choose(all);
        TcpProxy found = stage.cluster().doorOf(process);
        door = found;
        found.set(strike.coin() ? Weather.CUT : Weather.SILENT);
        return process.name() + (strike.coin() ? ", cut off from ZooKeeper" : ", silence from ZooKeeper");
    }

    @Override
    public void end(Stage stage) throws UnavailableException {
        if (door != null) {
            door.set(Weather.FAIR);
        }
    }
}
