package bt.rpc;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.protocol.Address;
import bt.protocol.Service;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens, and hands what comes to a {@link Service} on event loops that it must not block. */
public final class RpcServer implements AutoCloseable {
    /** Beyond the limit, for machines of the cluster: whoever holds all others, idle, keeps no master out. */
    private static final int CLUSTER_CONNECTIONS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
    private static final int FLUSHES_TOGETHER = 256;

    /** At a time. Each is there for a second at most. */
    private static final int MOST_TURNED_AWAY = 1_000;

    private static final WriteBufferWaterMark WRITE_BUFFER = new WriteBufferWaterMark(1 << 20, 4 << 20);
    private static final long CLOSE_MILLIS = 5_000;

    private final EventLoopGroup loops;
    private final Map<EventExecutor, LoopTurn> turns;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final ChannelGroup turnedAway = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final RpcLimits limits;
    private final Premises premises;
    private final Budget budget;
    private final Peers peers;
    private final Predicate<String> isOfCluster;
    private final Address address;

    private RpcServer(
            InetSocketAddress at, Service service, Clock clock, RpcLimits limits, Predicate<String> isOfCluster)
            throws BigtableException {
        this.limits = limits;
        this.isOfCluster = isOfCluster;
        budget = new Budget("the server", limits.serverRequests(), limits.serverBytes(), null);
        peers = new Peers(limits.peer(), budget);
        premises = new Premises(service, clock, limits);
        loops = Transport.ofProcess().loops(limits.eventLoops(), "bt-rpc-server");
        turns = StreamSupport.stream(loops.spliterator(), false)
                .collect(Collectors.toUnmodifiableMap(loop -> loop, loop -> new LoopTurn()));
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(Transport.ofProcess().listening())
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_BUFFER)
                .childOption(ChannelOption.RCVBUF_ALLOCATOR, new ReadShares(clock))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(at)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
            throw new RejectedException(
                    at.getHostString() + ":" + at.getPort() + ": cannot listen ("
                            + (at.isUnresolved()
                                    ? "the host has no address"
                                    : bound.cause().getMessage())
                            + ")",
                    "stop the process that holds the port, or choose another host and port");
        }
        Channel listening = bound.channel();
        connections.add(listening);
        address = new Address(at.getHostString(), ((InetSocketAddress) listening.localAddress()).getPort());
    }

    /** For whom every machine is a stranger's. */
    public static RpcServer start(String host, int port, Service service, Clock clock, RpcLimits limits)
            throws BigtableException {
        return start(host, port, service, clock, limits, address -> false);
    }

    /**
     * Port 0 takes a free one. REJECTED when the port is taken or the host is not ours. The last says of the address of a
     * machine whether it is the cluster's, which has a reserve; on event loops, with every request.
     */
    public static RpcServer start(
            String host, int port, Service service, Clock clock, RpcLimits limits, Predicate<String> isOfCluster)
            throws BigtableException {
        return new RpcServer(new InetSocketAddress(host, port), service, clock, limits, isOfCluster);
    }

    public Address address() {
        return address;
    }

    /** Completes when every event loop has got on with its turn: each is at work, and none hangs. */
    public CompletableFuture<Void> turns() {
        List<CompletableFuture<?>> all = new ArrayList<>();
        turns.forEach((loop, turn) -> {
            all.add(turn.next());
            loop.execute(turn::taken);
        });
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    /** Closes every connection; requests that still run are answered into the void. */
    @Override
    public void close() {
        turnedAway.close().awaitUninterruptibly(CLOSE_MILLIS);
        connections.close().awaitUninterruptibly(CLOSE_MILLIS);
        loops.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
    }

    Budget budget() {
        return budget;
    }

    /** How many are open. */
    public int connections() {
        return connections.size() - 1;
    }

    /** Told why, as far as there are not too many of those either. */
    private void turnAway(SocketChannel channel, int most) {
        String why = "connection refused: " + connections() + " are open, no more than " + most + " are allowed, and "
                + limits.peer().connections()
                + " from one address, or as large a part of what others leave: close some, or come again later";
        premises.complaints()
                .remark()
                .ifPresent(rest -> LOG.warn("{}: {}{}", Sockets.name(channel.remoteAddress()), why, rest));
        if (turnedAway.size() < MOST_TURNED_AWAY) {
            turnedAway.add(channel);
            channel.pipeline().addLast(new TurnedAway(why));
        } else {
            channel.close().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
    }

    private void accept(SocketChannel channel) {
        String from = Sockets.host(channel.remoteAddress());
        int most = limits.connections() + (isOfCluster.test(from) ? CLUSTER_CONNECTIONS : 0);
        int open = connections();
        Optional<Budget> share = open < most ? peers.enter(from, open, most) : Optional.empty();
        if (share.isEmpty()) {
            turnAway(channel, most);
            return;
        }
        channel.closeFuture().addListener(closed -> peers.leave(from));
        connections.add(channel);
        LoopTurn turn = Objects.requireNonNull(turns.get(channel.eventLoop()));
        ServerConnection connection = new ServerConnection(premises, share.get(), () -> isOfCluster.test(from), turn);
        channel.pipeline()
                .addLast(new FlushConsolidationHandler(FLUSHES_TOGETHER, true))
                .addLast(connection.decoder())
                .addLast(connection);
    }
}
