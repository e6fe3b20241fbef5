package bt.thrift.gateway;

import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Scheduler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.thrift.transport.TServerTransport;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door: takes connections in, counts them, and closes those that stand still for too long. */
final class Connections extends TServerTransport {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);

    private static final int BACKLOG = 1_024;
    private static final long WATCH_MILLIS = 250;
    /** What keeps us from accepting, as too many open files, does not pass in a microsecond. */
    private static final long AFTER_FAILURE_MILLIS = 200;

    private static final long DRAIN_LOOK_MILLIS = 10;

    private final ServerSocket server;
    private final int port;
    private final Scheduler scheduler;
    private final Connection.Shared shared;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean ending;
    /** Of the accepting thread: the log has a line when the door closes, not one for everybody who knocks. */
    private boolean full;

    private Connections(ServerSocket server, Scheduler scheduler, GatewayLimits limits) {
        this.server = server;
        port = server.getLocalPort();
        this.scheduler = scheduler;
        shared = new Connection.Shared(limits, scheduler.clock());
    }

    /** REJECTED when the address cannot be listened on. */
    static Connections listen(GatewayConfig config, Scheduler scheduler) throws RejectedException {
        String address = config.host() + ":" + config.port();
        try {
            InetSocketAddress place = new InetSocketAddress(config.host(), config.port());
            return new Connections(bind(place), scheduler, config.limits());
        } catch (BindException taken) {
            throw new RejectedException(
                    "cannot listen on " + address + ": " + taken.getMessage(),
                    "end what listens there, or choose another port with --port");
        } catch (IOException failed) {
            throw new RejectedException(
                    "cannot listen on " + address + ": " + failed.getMessage(),
                    "make the key host an address of this machine");
        }
    }

    int port() {
        return port;
    }

    int size() {
        return open.size();
    }

    boolean isEnding() {
        return ending;
    }

    @Override
    public void listen() {
        // It does since it was made: who starts a gateway on a port in use must learn it there.
    }

    @Override
    public Connection accept() throws TTransportException {
        while (true) {
            try {
                Optional<Connection> connection = admit(server.accept());
                if (connection.isPresent()) {
                    return connection.get();
                }
            } catch (IOException failed) {
                if (ending) {
                    throw new TTransportException(TTransportException.NOT_OPEN, "the gateway ends", failed);
                }
                log.warn("cannot take a connection in: {}", failed.getMessage());
                pause();
            }
        }
    }

    /** Takes no more connections. */
    @Override
    public void interrupt() {
        close();
    }

    @Override
    public void close() {
        ending = true;
        try {
            server.close();
        } catch (IOException failed) {
            log.warn("port {}: {}", port, failed.getMessage());
        }
    }

    /** Ends every connection, those with a call at work after its answer, if that comes in time. */
    void drain(long timeoutMillis) throws InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), timeoutMillis);
        open.forEach(Connection::end);
        while (!open.isEmpty() && !deadline.isOver()) {
            scheduler.pause(DRAIN_LOOK_MILLIS);
        }
        open.forEach(Connection::cut);
    }

    /** Looks for connections whose time is over, until the gateway ends. */
    void watch() throws InterruptedException {
        while (!ending) {
            scheduler.pause(WATCH_MILLIS);
            for (Connection connection : open) {
                Optional<Stage.Kind> still = connection.standsStill();
                if (still.isPresent()) {
                    if (still.get() != Stage.Kind.SILENT) {
                        connection.complain(still.get().whatStandsStill());
                    }
                    connection.cut();
                }
            }
        }
    }

    private Optional<Connection> admit(Socket socket) throws IOException {
        if (open.size() >= shared.limits().connections()) {
            socket.close();
            if (!full) {
                shared.complaints()
                        .remark()
                        .ifPresent(rest ->
                                log.warn("{} connections are open; more are closed at once{}", open.size(), rest));
            }
            full = true;
            return Optional.empty();
        }
        full = false;
        try {
            Connection connection = new Connection(socket, shared, open::remove);
            open.add(connection);
            return Optional.of(connection);
        } catch (IOException | TTransportException gone) {
            log.debug("a connection ended before it began", gone);
            socket.close();
            return Optional.empty();
        }
    }

    private void pause() throws TTransportException {
        try {
            scheduler.pause(AFTER_FAILURE_MILLIS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new TTransportException(TTransportException.NOT_OPEN, "the gateway ends", stopped);
        }
    }

    private static ServerSocket bind(InetSocketAddress address) throws IOException {
        ServerSocket server = new ServerSocket();
        boolean bound = false;
        try {
            // A gateway that is started again need not wait for the connections of the one before it.
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
            bound = true;
            return server;
        } finally {
            if (!bound) {
                server.close();
            }
        }
    }
}
