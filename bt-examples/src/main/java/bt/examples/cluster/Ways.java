package bt.examples.cluster;

import bt.base.Scheduler;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * How each master and tablet server reaches ZooKeeper and is reached by all others, servers and clients: directly, or through
 * proxies of its own. One thread.
 */
final class Ways implements AutoCloseable {
    private final String quorum;
    private final boolean proxied;
    private final Doors toZooKeeper;
    private final Doors toServers;

    Ways(String quorum, boolean proxied, Scheduler scheduler) {
        this.quorum = quorum;
        this.proxied = proxied;
        this.toZooKeeper = new Doors(scheduler);
        this.toServers = new Doors(scheduler);
    }

    /** The quorum as the process of this name is told it. */
    String quorumFor(String process) throws IOException {
        return proxied ? toZooKeeper.open(process, quorum) : quorum;
    }

    /**
     * Where it listens and by which address others know it.
     *
     * @param settings that say so to a process
     */
    record Place(String known, Map<String, String> settings) {}

    /** A place for a process of that name and role, as its settings begin. */
    Place placeFor(String process, String role) throws IOException {
        String listening = Ports.free(1).get(0);
        Map<String, String> settings = new HashMap<>();
        settings.put(role + ".port", listening.substring(listening.indexOf(':') + 1));
        if (!proxied) {
            return new Place(listening, settings);
        }
        String known = toServers.open(process, listening);
        settings.put(role + ".advertised.address", known);
        return new Place(known, settings);
    }

    Doors toZooKeeper() {
        return toZooKeeper;
    }

    Doors toServers() {
        return toServers;
    }

    /** The process has ended. */
    void shut(String process) {
        toZooKeeper.shut(process);
        toServers.shut(process);
    }

    @Override
    public void close() {
        toZooKeeper.close();
        toServers.close();
    }
}
