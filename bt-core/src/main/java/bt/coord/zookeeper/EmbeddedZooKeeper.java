package bt.coord.zookeeper;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/**
 * One real ZooKeeper server in this JVM, for a cluster that is one process. Whoever starts it promises that nothing
 * outlives the process before: every session found in the directory is ended at once, and its locks with it, where a
 * server of its own would have to wait for their time-outs.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 500;
    private static final int CONNECTIONS = 1_000;
    private static final int SNAPSHOTS_KEPT = 3;

    private final ZooKeeperServer server;
    private final ServerCnxnFactory listener;
    private final String quorum;

    private EmbeddedZooKeeper(ZooKeeperServer server, ServerCnxnFactory listener, String host) {
        this.server = server;
        this.listener = listener;
        this.quorum = host + ":" + listener.getLocalPort();
    }

    /** Port 0 takes a free one. REJECTED when the port is taken or the host is not ours. */
    public static EmbeddedZooKeeper start(Path directory, String host, int port) throws BigtableException {
        String address = host + ":" + port;
        ServerCnxnFactory listener = new Listener();
        try {
            listener.configure(new InetSocketAddress(host, port), CONNECTIONS);
        } catch (BindException taken) {
            throw new RejectedException(
                            address + ": cannot listen (" + taken.getMessage() + ")",
                            "stop the process that holds the port, or choose another")
                    .causedBy(taken);
        } catch (IOException failed) {
            throw new UnavailableException(address + ": cannot listen: " + failed.getMessage()).causedBy(failed);
        }
        ZooKeeperServer server = null;
        try {
            File data = Files.createDirectories(directory).toFile();
            server = new Server(data);
            listener.startup(server);
            for (long session : server.getZKDatabase().getSessions()) {
                server.closeSession(session);
            }
            PurgeTxnLog.purge(data, data, SNAPSHOTS_KEPT);
            return new EmbeddedZooKeeper(server, listener, host);
        } catch (IOException damaged) {
            stop(server, listener);
            throw new CorruptionException(directory + ": ZooKeeper cannot read its data: " + damaged.getMessage())
                    .causedBy(damaged);
        } catch (InterruptedException stopped) {
            stop(server, listener);
            Thread.currentThread().interrupt();
            throw new UnavailableException(directory + ": interrupted while ZooKeeper started").causedBy(stopped);
        }
    }

    /** host:port, as clients want it. */
    public String quorum() {
        return quorum;
    }

    @Override
    public void close() {
        stop(server, listener);
    }

    private static void stop(@Nullable ZooKeeperServer server, ServerCnxnFactory listener) {
        listener.shutdown();
        if (server != null) {
            server.shutdown();
        }
    }

    /** Without beans: nobody looks at them here, and what shows them takes longer to start than the server itself. */
    private static final class Server extends ZooKeeperServer {
        Server(File data) throws IOException {
            super(data, data, TICK_MILLIS);
        }

        @Override
        protected void registerJMX() {}

        @Override
        protected void unregisterJMX() {}
    }

    /** The same for its connections. */
    private static final class Listener extends NIOServerCnxnFactory {
        @Override
        public void registerConnection(ServerCnxn connection) {}

        @Override
        public void unregisterConnection(ServerCnxn connection) {}
    }
}
