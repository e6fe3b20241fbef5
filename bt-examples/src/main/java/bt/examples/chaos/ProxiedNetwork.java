package bt.examples.chaos;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.examples.cluster.TcpProxy;
import bt.examples.cluster.TcpProxy.Weather;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Sends what is for a server through a proxy of its own, which is made when it is first needed. Any thread. */
final class ProxiedNetwork implements Network, AutoCloseable {
    private final Network network;
    private final Scheduler scheduler;
    private final Map<Address, TcpProxy> proxies = new ConcurrentHashMap<>();
    private volatile Weather weather = Weather.FAIR;

    ProxiedNetwork(Network network, Scheduler scheduler) {
        this.network = network;
        this.scheduler = scheduler;
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        return through(to, proxy -> network.send(proxy, request, timeoutMillis));
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request.Scan request, long timeoutMillis, Consumer<Bytes> edge) {
        return through(to, proxy -> network.send(proxy, request, timeoutMillis, edge));
    }

    private CompletableFuture<Answer> through(Address to, Function<Address, CompletableFuture<Answer>> send) {
        try {
            TcpProxy proxy = proxies.computeIfAbsent(to, this::open);
            return send.apply(Address.parse(proxy.address()));
        } catch (UncheckedIOException failed) {
            return CompletableFuture.failedFuture(
                    new UnavailableException(to + ": no proxy: " + failed.getMessage(), Outcome.NOT_APPLIED));
        }
    }

    /** On the way to every server, those too that nobody has asked yet. */
    void set(Weather next) {
        weather = next;
        proxies.values().forEach(proxy -> proxy.set(next));
    }

    /** How often weather has hit something there. */
    long hits() {
        return proxies.values().stream().mapToLong(TcpProxy::hits).sum();
    }

    private TcpProxy open(Address to) {
        try {
            TcpProxy proxy = TcpProxy.to(to.toString(), to.port(), scheduler);
            proxy.set(weather);
            return proxy;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        proxies.values().forEach(TcpProxy::close);
    }
}
