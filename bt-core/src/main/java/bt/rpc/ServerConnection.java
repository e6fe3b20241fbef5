package bt.rpc;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Failures;
import bt.base.Output;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Seldom;
import bt.base.Together;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Codec;
import bt.protocol.Request;
import bt.protocol.Room;
import bt.protocol.Service;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's side of one connection: handshake, then requests in, answers out in the order in which they are ready. Its
 * event loop owns it. An answer that finds no room ({@link InFlight}) and tells of no change is let go and answered
 * OVERLOADED, for it can be asked for again.
 */
final class ServerConnection extends ChannelInboundHandlerAdapter implements FrameDecoder.Gate {
    private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
    private static final long RETRY_AFTER_MILLIS = 100;
    /** A length alone costs its sender nothing. */
    private static final int ROOM_FOR_STRANGERS = 64 << 10;

    /** What is made of every request; the bound on their number bounds it. */
    private static final int MADE_OF_ANY_BYTES = 4 << 10;

    private static final int MAX_TIMEOUT_MILLIS = 60 * 60 * 1000;

    private final Service service;
    private final Clock clock;
    private final RpcLimits limits;
    private final Seldom complaints;
    private final ControlBodies bodies;
    private final Budget budget;
    private final LoopTurn turn;
    private final FrameDecoder decoder = new FrameDecoder(this);
    private final StallWatch stalls = new StallWatch(decoder);
    private final InFlight inFlight;
    private final AtomicBoolean gone = new AtomicBoolean();
    private final BooleanSupplier isGone = gone::get;
    private @Nullable String user;
    private String address = "";
    private String source = "";
    private @Nullable Future<?> patience;
    private @Nullable Future<?> watching;

    /** Whether it comes from a machine of the cluster may be known later than it begins. */
    ServerConnection(Premises premises, Budget budget, BooleanSupplier isFromCluster, LoopTurn turn) {
        this.service = premises.service();
        this.clock = premises.clock();
        this.limits = premises.limits();
        this.complaints = premises.complaints();
        this.bodies = premises.bodies();
        this.budget = budget;
        this.turn = turn;
        this.inFlight = new InFlight(premises.limits(), budget, isFromCluster, stalls);
    }

    FrameDecoder decoder() {
        return decoder;
    }

    @Override
    public int maxBodyBytes() {
        return (user == null ? Frame.STRANGER_BYTES : limits.frameBytes()) - Frame.HEADER_BYTES;
    }

    @Override
    public boolean admits(int frameBytes) {
        return user == null || inFlight.admits(frameBytes);
    }

    @Override
    public int roomAtOnce() {
        return ROOM_FOR_STRANGERS;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        address = Sockets.name(context.channel().remoteAddress());
        source = "request from " + address;
        patience = context.executor()
                .schedule(() -> giveUpOnStranger(context), limits.handshakeMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws BigtableException {
        if (message instanceof FrameDecoder.Refused refused) {
            fail(context, refused.id(), overloaded());
            return;
        }
        Frame frame = (Frame) message;
        String caller = user;
        Frame.Kind expected = caller == null ? Frame.Kind.HELLO : Frame.Kind.REQUEST;
        if (frame.kind() != expected) {
            throw new CorruptionException("a frame of kind " + frame.kind() + ", expected " + expected);
        }
        if (caller == null) {
            greet(context, frame);
        } else {
            handle(context, frame, caller);
        }
    }

    /** The others have their turn now. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        turn.taken();
    }

    private void greet(ChannelHandlerContext context, Frame frame) throws CorruptionException {
        try {
            user = Hello.decode(frame.body("handshake")).user();
            endPatience();
            watching = context.executor()
                    .scheduleWithFixedDelay(
                            () -> watch(context), limits.stallMillis(), limits.stallMillis(), TimeUnit.MILLISECONDS);
            Output out = Frame.begin(Frame.Kind.WELCOME, frame.id(), 0);
            new Welcome(Hello.VERSION, Codec.controlFingerprint(), limits.frameBytes()).encode(out);
            context.writeAndFlush(Frame.finish(out)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        } catch (CorruptionException damage) {
            throw damage;
        } catch (BigtableException refused) {
            complain("connection refused: " + refused.getMessage());
            Output out = Frame.begin(Frame.Kind.FAILURE, frame.id(), 0);
            Codec.encode(refused, out);
            context.writeAndFlush(Frame.finish(out)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void handle(ChannelHandlerContext context, Frame frame, String caller) {
        inFlight.begin(context.channel(), frame.size());
        Held held = new Held(context.channel(), frame.size());
        long id = frame.id();
        CompletableFuture<?> unused = answer(frame, held, caller).whenComplete((answer, failure) -> {
            int size = held.bytes;
            if (failure == null && answer instanceof Answer.Page) {
                orClose(context, size, () -> {
                    // By who has read it: it takes as long again, and the loop has other connections.
                    ByteBuf out = Frame.finish(encoded(id, answer));
                    onLoop(context, () -> sendIfItFits(context, id, size, out), out::release);
                });
            } else {
                // Not by who has made it, who may have a cluster to keep going.
                onLoop(
                        context,
                        () -> orClose(context, size, () -> {
                            if (failure == null) {
                                reply(context, id, size, answer);
                            } else {
                                send(context, size, Frame.finish(encoded(id, failure)));
                            }
                        }),
                        () -> {});
            }
        });
    }

    /** What is no answer ends the connection, and gives back what its request held. */
    private void orClose(ChannelHandlerContext context, int size, Runnable answering) {
        try {
            answering.run();
        } catch (RuntimeException | Error bug) {
            LOG.error("{}: connection closed: a request failed with what is no answer", address, bug);
            onLoop(
                    context,
                    () -> {
                        inFlight.end(context.channel(), size);
                        close(context);
                    },
                    () -> {});
        }
    }

    /** What a request holds until it is answered: its frame, and what is made of it where that is more. */
    private final class Held implements Room {
        private final Channel channel;
        private int bytes;

        Held(Channel channel, int frameBytes) {
            this.channel = channel;
            this.bytes = frameBytes;
        }

        @Override
        public void take(long moreBytes) throws OverloadedException {
            if (moreBytes <= MADE_OF_ANY_BYTES) {
                return;
            }
            int more = (int) Math.min(moreBytes, Integer.MAX_VALUE - bytes);
            if (!inFlight.grows(channel, bytes, more)) {
                throw new OverloadedException(
                        "a request that takes " + moreBytes + " bytes: " + budget, RETRY_AFTER_MILLIS);
            }
            bytes += more;
        }
    }

    private CompletableFuture<? extends Answer> answer(Frame frame, Room room, String caller) {
        try {
            long timeout = Math.min(Integer.toUnsignedLong(frame.timeoutMillis()), MAX_TIMEOUT_MILLIS);
            long deadline = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(timeout);
            Request request = Codec.decodeRequest(frame.body(source), room);
            if (!request.isOfCluster() && budget.isInReserve()) {
                return CompletableFuture.failedFuture(overloaded());
            }
            return service.handle(new Caller(caller, address, deadline, isGone), request);
        } catch (BigtableException | RuntimeException | Error failure) {
            // An Error as well: what the request holds is given back where it is answered.
            return CompletableFuture.failedFuture(failure);
        }
    }

    private Output encoded(long id, Answer answer) {
        Output out = Frame.begin(Frame.Kind.ANSWER, id, 0);
        Codec.encode(answer, out);
        return out.total() <= limits.frameBytes() ? out : encoded(id, tooLong(out.total()));
    }

    private RejectedException tooLong(int frameBytes) {
        return new RejectedException(
                "answer: " + frameBytes + " bytes, more than a frame of " + limits.frameBytes(),
                "ask for smaller pages");
    }

    private static Output encoded(long id, Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        if (!(cause instanceof BigtableException expected)) {
            throw new IllegalStateException(cause);
        }
        Output out = Frame.begin(Frame.Kind.FAILURE, id, 0);
        Codec.encode(expected, out);
        return out;
    }

    private void reply(ChannelHandlerContext context, long id, int requestBytes, Answer answer) {
        if (!(answer instanceof Answer.Control report) || !answer.isRepeatable()) {
            send(context, requestBytes, Frame.finish(encoded(id, answer)));
            return;
        }
        // Its bytes are there once for all who asked; where there is no room no frame is made of them.
        Bytes body = bodies.of(report);
        int frameBytes = Frame.HEADER_BYTES + body.length();
        if (frameBytes > limits.frameBytes()) {
            send(context, requestBytes, Frame.finish(encoded(id, tooLong(frameBytes))));
        } else if (inFlight.takesRoom(requestBytes, frameBytes)) {
            inFlight.write(
                    context,
                    requestBytes,
                    Frame.finish(Frame.begin(Frame.Kind.ANSWER, id, 0).raw(body)));
        } else {
            letGo(context, id, requestBytes);
        }
    }

    private void sendIfItFits(ChannelHandlerContext context, long id, int requestBytes, ByteBuf out) {
        if (inFlight.takesRoom(requestBytes, out.readableBytes())) {
            inFlight.write(context, requestBytes, out);
        } else {
            out.release();
            letGo(context, id, requestBytes);
        }
    }

    private void letGo(ChannelHandlerContext context, long id, int requestBytes) {
        OverloadedException later =
                new OverloadedException(inFlight.answersThatWait() + "; " + budget, RETRY_AFTER_MILLIS);
        send(context, requestBytes, Frame.finish(encoded(id, later)));
    }

    /** What must not be withheld, or is short. */
    private void send(ChannelHandlerContext context, int requestBytes, ByteBuf out) {
        budget.force(out.readableBytes());
        inFlight.write(context, requestBytes, out);
    }

    private OverloadedException overloaded() {
        return new OverloadedException("too much for one server: " + budget, RETRY_AFTER_MILLIS);
    }

    private void fail(ChannelHandlerContext context, long id, BigtableException failure) {
        context.writeAndFlush(Frame.finish(encoded(id, failure))).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        inFlight.mindReading(context.channel());
    }

    /** Whoever sends half a frame, or takes no answers, holds room that others could use. */
    private void watch(ChannelHandlerContext context) {
        boolean weRead = context.channel().config().isAutoRead();
        ChannelOutboundBuffer waiting = context.channel().unsafe().outboundBuffer();
        long halfSent = waiting != null && waiting.current() instanceof ByteBuf first ? first.readerIndex() : 0;
        Optional<String> stall = stalls.look(weRead, halfSent, limits.stallMillis());
        if (stall.isPresent()) {
            complain("connection closed: " + stall.get() + " for " + limits.stallMillis() + " ms");
            close(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        // From now on nothing is done for its requests: those that wait are dropped, those that run end.
        gone.set(true);
        endPatience();
        if (watching != null) {
            watching.cancel(false);
        }
        inFlight.dropArriving();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        if (failure instanceof BigtableException damage) {
            complain("connection closed: " + damage.getMessage());
        } else if (failure instanceof IOException) {
            LOG.debug("{}: connection lost: {}", address, failure.getMessage());
        } else {
            LOG.error("{}: connection closed", address, failure);
        }
        close(context);
    }

    private void giveUpOnStranger(ChannelHandlerContext context) {
        complain("connection closed: no handshake within " + limits.handshakeMillis() + " ms");
        close(context);
    }

    private void complain(String what) {
        complaints.remark().ifPresent(rest -> LOG.warn("{}: {}{}", address, what, rest));
    }

    private void endPatience() {
        if (patience != null) {
            patience.cancel(false);
        }
    }

    private static void close(ChannelHandlerContext context) {
        context.close().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private static void onLoop(ChannelHandlerContext context, Runnable action, Runnable ifStopped) {
        if (context.executor().inEventLoop()) {
            action.run();
            return;
        }
        Together.give(context.executor(), action, () -> {
            LOG.debug("the server was closed before an answer was ready");
            ifStopped.run();
        });
    }
}
