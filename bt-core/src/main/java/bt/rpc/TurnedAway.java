package bt.rpc;

import bt.base.Output;
import bt.base.OverloadedException;
import bt.protocol.Codec;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that there is no room for: told so before it has said anything, and closed when the other side has taken that,
 * or after a second. Closed at once, with a hello of the other side unread, it would be reset, and that is all that the other
 * side would learn. Its event loop owns it.
 */
final class TurnedAway extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
    private static final long RETRY_AFTER_MILLIS = 1_000;
    private static final long LINGER_MILLIS = 1_000;

    private final String why;
    private @Nullable Future<?> patience;

    TurnedAway(String why) {
        this.why = why;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Output out = Frame.begin(Frame.Kind.FAILURE, 0, 0);
        Codec.encode(new OverloadedException(why, RETRY_AFTER_MILLIS), out);
        context.writeAndFlush(Frame.finish(out)).addListener(told -> {
            if (told.isSuccess()) {
                ((SocketChannel) context.channel())
                        .shutdownOutput()
                        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            } else {
                close(context);
            }
        });
        patience = context.executor().schedule(() -> close(context), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Let go as it comes. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (patience != null) {
            patience.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        LOG.debug("{}: turned away: {}", context.channel().remoteAddress(), failure.getMessage());
        close(context);
    }

    private static void close(ChannelHandlerContext context) {
        context.close().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }
}
