package bt.rpc;

import bt.protocol.Address;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.UnorderedThreadPoolEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

/**
 * Opens connections. Names are resolved on threads of its own, because the JDK's resolver blocks: several, because it does so for many seconds
 * where a name server does not answer for some names.
 */
final class Dialer {
    private static final int CONNECT_MILLIS = 3_000;

    static final int RESOLVERS = 8;

    private final EventExecutorGroup names =
            new UnorderedThreadPoolEventExecutor(RESOLVERS, new DefaultThreadFactory("bt-rpc-names", true));

    private final Resolver resolver;

    Dialer(Resolver resolver) {
        this.resolver = resolver;
    }

    /** Finds the address of a host; blocks as long as that takes. */
    @FunctionalInterface
    interface Resolver {
        InetAddress resolve(String host) throws UnknownHostException;
    }

    void dial(Connection connection, Address to) {
        if (NetUtil.isValidIpV4Address(to.host())) {
            resolve(connection, to);
        } else {
            names.execute(() -> resolve(connection, to));
        }
    }

    void close(long timeoutMillis) {
        names.shutdownGracefully(0, timeoutMillis, TimeUnit.MILLISECONDS).awaitUninterruptibly(timeoutMillis);
    }

    private void resolve(Connection connection, Address to) {
        try {
            connect(connection, new InetSocketAddress(resolver.resolve(to.host()), to.port()));
        } catch (UnknownHostException unknown) {
            connection.loop().execute(() -> connection.close("no such host"));
        }
    }

    private static void connect(Connection connection, InetSocketAddress to) {
        ChannelFuture connecting = new Bootstrap()
                .group(connection.loop())
                .channel(Transport.ofProcess().connected())
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(connection.decoder()).addLast(connection);
                    }
                })
                .connect(to);
        connecting.addListener((ChannelFutureListener) done -> {
            if (!done.isSuccess()) {
                connection.close("cannot connect: " + done.cause().getMessage());
            }
        });
    }
}
