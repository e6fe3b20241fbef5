package bt.rpc;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Output;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Codec;
import bt.protocol.Network;
import bt.protocol.Request;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way to other processes over TCP: one pipelined connection per address, opened by the first request and, when it
 * failed or the other side fell silent, by the first one after a pause; what is sent meanwhile fails at once. Any thread
 * sends. Futures complete on event loops: what hangs on them must not block.
 */
public final class RpcNetwork implements Network, AutoCloseable {
    /** So many calls are under way on one connection, at most. */
    public static final int MAX_CALLS = Connection.CALLS;

    private static final int FORGET_SECONDS = 60;
    private static final long CLOSE_MILLIS = 5_000;

    private final String user;
    private final Clock clock;
    private final EventLoopGroup loops;
    private final Dialer dialer = new Dialer(InetAddress::getByName);
    private final Map<Address, Route> routes = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    private RpcNetwork(String user, Clock clock, int eventLoops) {
        this.user = user;
        this.clock = clock;
        loops = Transport.ofProcess().loops(eventLoops, "bt-rpc-client");
    }

    /** Every connection says that it speaks for {@code user}. */
    public static RpcNetwork open(String user, Clock clock, int eventLoops) {
        return new RpcNetwork(user, clock, eventLoops);
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        return begin(to, request, timeoutMillis, edge -> {});
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request.Scan request, long timeoutMillis, Consumer<Bytes> edge) {
        return begin(to, request, timeoutMillis, edge);
    }

    private CompletableFuture<Answer> begin(Address to, Request request, long timeoutMillis, Consumer<Bytes> edge) {
        if (request.bytes() > RpcLimits.MAX_FRAME_BYTES) {
            // Before it is encoded: it may have more than fits the heap, or any array.
            return failed(tooLarge(to, request.bytes()));
        }
        long id = ids.incrementAndGet();
        Output frame =
                Frame.begin(Frame.Kind.REQUEST, id, (int) Math.max(1, Math.min(timeoutMillis, Integer.MAX_VALUE)));
        Codec.encode(request, frame);
        if (frame.total() > RpcLimits.MAX_FRAME_BYTES) {
            return failed(tooLarge(to, frame.total()));
        }
        if (closed.get()) {
            return failed(isClosed(to));
        }
        long deadline = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        Call call = new Call(id, frame, deadline, timeoutMillis, edge);
        try {
            connection(to).send(call);
        } catch (RejectedExecutionException closing) {
            return failed(isClosed(to));
        }
        return call.future();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        for (Route route : routes.values()) {
            Connection connection = route.connection();
            connection.loop().execute(() -> connection.close("this process closed its network"));
        }
        loops.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
        dialer.close(CLOSE_MILLIS);
    }

    private Connection connection(Address to) {
        Route route = routes.get(to);
        if (route == null || route.isOver(clock.nanos())) {
            route = routes.compute(to, this::current);
        }
        if (route.connection().mustBeDialed()) {
            dialer.dial(route.connection(), to);
        }
        return route.connection();
    }

    private Route current(Address to, @Nullable Route route) {
        long now = clock.nanos();
        if (route != null && !route.isOver(now)) {
            return route;
        }
        Connection next = new Connection(to, user, loops.next(), clock, this::wasClosed);
        return route == null ? Route.first(next, now) : route.replacedBy(next);
    }

    /** On the connection's event loop. */
    private void wasClosed(Connection connection) {
        Route now = routes.computeIfPresent(connection.address(), (address, route) -> {
            if (route.connection() != connection) {
                return route;
            }
            if (connection.wasSilent()) {
                return route.silent(clock.nanos());
            }
            return connection.everReady() ? null : route.failed(clock.nanos());
        });
        if (now != null && !closed.get()) {
            forgetLater(connection, now);
        }
    }

    /** Servers come and go with their ports: what stays unreachable is not remembered for ever. */
    private void forgetLater(Connection connection, Route unreachable) {
        try {
            Future<?> unused = connection
                    .loop()
                    .schedule(() -> routes.remove(connection.address(), unreachable), FORGET_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException closing) {
            // All of it is forgotten.
        }
    }

    private static RejectedException tooLarge(Address to, long bytes) {
        return new RejectedException(
                to + ": a request of " + bytes + " bytes, more than " + RpcLimits.MAX_FRAME_BYTES, "send it in parts");
    }

    private static UnavailableException isClosed(Address to) {
        return new UnavailableException(to + ": this process has closed its network", Outcome.NOT_APPLIED);
    }

    private static CompletableFuture<Answer> failed(BigtableException failure) {
        return CompletableFuture.failedFuture(failure);
    }
}
