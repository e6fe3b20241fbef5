package bt.rpc;

import bt.protocol.Address;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

/** Opens connections. Names are resolved on a thread of its own, because the JDK's resolver blocks. */
final class Dialer {
    private static final int CONNECT_MILLIS = 3_000;

    private final EventExecutor names = new DefaultEventExecutor(new DefaultThreadFactory("bt-rpc-names", true));

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

    private static void resolve(Connection connection, Address to) {
        try {
            connect(connection, new InetSocketAddress(InetAddress.getByName(to.host()), to.port()));
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
