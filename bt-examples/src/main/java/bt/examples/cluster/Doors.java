package bt.examples.cluster;

import bt.base.BigtableException.Outcome;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.examples.cluster.TcpProxy.Weather;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Proxies, one for each process by its name, and the weather of those that have none of their own. One thread. */
public final class Doors implements AutoCloseable {
    private final Scheduler scheduler;
    private final Map<String, TcpProxy> proxies = new HashMap<>();
    private Weather weather = Weather.FAIR;
    private long hitsOfShut;

    Doors(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Where the process, or who wants to reach it, finds what is behind its door. */
    String open(String process, String target) throws IOException {
        TcpProxy proxy = TcpProxy.to(target, 0, scheduler);
        proxy.set(weather);
        proxies.put(process, proxy);
        return proxy.address();
    }

    /** That of one process. UNAVAILABLE if it has none. */
    public TcpProxy of(JavaProcess process) throws UnavailableException {
        return Optional.ofNullable(proxies.get(process.name()))
                .orElseThrow(() -> new UnavailableException(process.name() + " has no proxy", Outcome.NOT_APPLIED));
    }

    /** At all of them, those too that are opened from now on. */
    public void set(Weather next) {
        weather = next;
        proxies.values().forEach(proxy -> proxy.set(next));
    }

    /** How often weather has hit something at any of them, those too that are shut. */
    public long hits() {
        return hitsOfShut + proxies.values().stream().mapToLong(TcpProxy::hits).sum();
    }

    /** The process has ended. */
    void shut(String process) {
        TcpProxy proxy = proxies.remove(process);
        if (proxy != null) {
            proxy.close();
            hitsOfShut += proxy.hits();
        }
    }

    @Override
    public void close() {
        proxies.values().forEach(TcpProxy::close);
        proxies.clear();
    }
}
