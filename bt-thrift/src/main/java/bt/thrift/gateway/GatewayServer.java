package bt.thrift.gateway;

import bt.thrift.gen.Gateway;
import org.apache.thrift.server.TThreadPoolServer;

/**
 * Libthrift's server with one worker for each connection. Its server with selectors has no limit of time for a frame that
 * does not end, takes memory for what a header announces, and needs twice the time for a call.
 */
final class GatewayServer extends TThreadPoolServer {
    /** Workers that have closed their connection and are not back in the pool yet. */
    private static final int RETURNING = 64;

    private static final long DRAIN_MILLIS = 5_000;
    private static final int STOP_SECONDS = 5;

    private final Connections connections;

    GatewayServer(Connections connections, GatewayConfig config, Gateway.Iface calls) {
        super(new Args(connections)
                .maxWorkerThreads(config.limits().connections() + RETURNING)
                .stopTimeoutVal(STOP_SECONDS)
                .processor(new GuardedProcessor(new Gateway.Processor<>(calls)))
                .protocolFactory(config.protocol().factory()));
        this.connections = connections;
    }

    /** After the last connection is taken in, and before the workers are interrupted: calls at work are answered. */
    @Override
    protected void execute() {
        // It would not end when it was stopped before it began.
        if (!connections.isEnding()) {
            super.execute();
        }
        try {
            connections.drain(DRAIN_MILLIS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
