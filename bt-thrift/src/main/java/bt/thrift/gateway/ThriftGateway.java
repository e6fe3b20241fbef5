package bt.thrift.gateway;

import bt.base.RejectedException;
import bt.base.Scheduler.Worker;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;

/** A running gateway. It keeps no state between calls: there may be as many of a cluster as one likes. Any thread. */
public final class ThriftGateway implements AutoCloseable {
    private static final long END_MILLIS = 15_000;
    private static final long LOOK_MILLIS = 60_000;

    private final ThreadScheduler scheduler;
    private final Connections connections;
    private final Handler handler;
    private final GatewayServer server;
    private final Worker serving;

    private ThriftGateway(ThreadScheduler scheduler, Connections connections, Handler handler, GatewayServer server) {
        this.scheduler = scheduler;
        this.connections = connections;
        this.handler = handler;
        this.server = server;
        serving = scheduler.start("bt-thrift-accept", server::serve);
        scheduler.start("bt-thrift-watch", connections::watch);
    }

    /** Listens. REJECTED when the port is taken. The cluster stays the caller's to close. */
    public static ThriftGateway start(Bigtable bigtable, GatewayConfig config) throws RejectedException {
        ThreadScheduler scheduler = new ThreadScheduler();
        Connections connections = Connections.listen(config, scheduler);
        Handler handler = new Handler(bigtable, config.limits(), scheduler);
        GatewayServer server = new GatewayServer(connections, config, handler);
        return new ThriftGateway(scheduler, connections, handler, server);
    }

    public int port() {
        return connections.port();
    }

    /** How many callers are connected. */
    int connections() {
        return connections.size();
    }

    /** Returns when the gateway has ended. */
    public void awaitEnd() throws InterruptedException {
        while (!serving.join(LOOK_MILLIS)) {
            // Nothing to do in between: a wait has a bound.
        }
    }

    /** Takes no more connections, answers the calls that are at work, and ends. */
    @Override
    public void close() {
        server.stop();
        try {
            serving.join(END_MILLIS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        handler.close();
        scheduler.close();
    }
}
