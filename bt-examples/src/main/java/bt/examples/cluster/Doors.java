package bt.examples.cluster;

import bt.base.BigtableException.Outcome;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How each process reaches ZooKeeper: directly, or through a proxy of its own. One thread. */
final class Doors implements AutoCloseable {
    private final String quorum;
    private final boolean proxied;
    private final Scheduler scheduler;

    /** By the name of the process. */
    private final Map<String, TcpProxy> proxies = new HashMap<>();

    Doors(String quorum, boolean proxied, Scheduler scheduler) {
        this.quorum = quorum;
        this.proxied = proxied;
        this.scheduler = scheduler;
    }

    /** The quorum as the process of this name is told it. */
    String open(String process) throws IOException {
        if (!proxied) {
            return quorum;
        }
        TcpProxy proxy = TcpProxy.to(quorum, 0, scheduler);
        proxies.put(process, proxy);
        return proxy.address();
    }

    TcpProxy of(String process) throws UnavailableException {
        return Optional.ofNullable(proxies.get(process))
                .orElseThrow(() -> new UnavailableException(process + " has no proxy", Outcome.NOT_APPLIED));
    }

    /** The process has ended. */
    void shut(String process) {
        TcpProxy proxy = proxies.remove(process);
        if (proxy != null) {
            proxy.close();
        }
    }

    @Override
    public void close() {
        proxies.values().forEach(TcpProxy::close);
        proxies.clear();
    }
}
