package bt.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A real ZooKeeper in this JVM, on 127.0.0.1 and a port of its own, that can stop for a while and expire a session. */
public final class MiniZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 500;
    private static final int CONNECTIONS = 200;

    /** ZooKeeper would grant twenty ticks at most. */
    private static final int MAX_SESSION_MILLIS = 60_000;

    private final Path directory;
    private int port;
    private ZooKeeperServer server;
    private ServerCnxnFactory listener;

    public MiniZooKeeper(Path directory) throws IOException, InterruptedException {
        // ZooKeeper syncs every transaction to the disk; here nothing outlives the JVM.
        System.setProperty("zookeeper.forceSync", "no");
        System.setProperty("zookeeper.admin.enableServer", "false");
        this.directory = directory;
        start();
    }

    public String quorum() {
        return "127.0.0.1:" + port;
    }

    /** Starts again after {@link #stop}: same port, same data; a session that was alive may come back. */
    public void start() throws IOException, InterruptedException {
        server = new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS);
        server.setMaxSessionTimeout(MAX_SESSION_MILLIS);
        listener = new NIOServerCnxnFactory();
        listener.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS);
        listener.startup(server);
        port = listener.getLocalPort();
    }

    public void stop() {
        listener.shutdown();
        server.shutdown();
    }

    /** How many it has had since it started, from all sessions, those that only keep a session alive among them. */
    public long requests() {
        return server.serverStats().getPacketsReceived();
    }

    /** As if nothing had been heard of the session for its time-out. */
    public void expire(long sessionId) {
        server.closeSession(sessionId);
    }

    @Override
    public void close() {
        stop();
    }
}
