package bt.rpc;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.protocol.Address;
import bt.protocol.Codec;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's side of one connection, used once: opening, ready, closed. Any thread sends; everything else belongs to its
 * event loop. Calls are gathered, so that those sent together leave in one write to the socket.
 */
final class Connection extends ChannelInboundHandlerAdapter implements FrameDecoder.Gate {
    static final int CALLS = 16_384;
    static final long WAITING_BYTES = 256L << 20;
    static final int HANDSHAKE_MILLIS = 5_000;

    /** A call timed out and nothing at all came for so long: the other side's machine is gone without a word. */
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(RpcNetwork.class);
    private static final long RETRY_AFTER_MILLIS = 50;

    /** A page that is begun in one array and ended in another costs a copy. */
    private static final int ROOM_FOR_A_PAGE = 1 << 20;

    private final Address address;
    /** The source that messages about answers name. */
    private final String answers;

    private final String user;
    private final EventLoop loop;
    private final Clock clock;
    private final Consumer<Connection> whenClosed;
    private final FrameDecoder decoder = new FrameDecoder(this);
    private final Expiry expiry;

    private final Queue<Call> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean gathering = new AtomicBoolean();
    private final AtomicBoolean dialed = new AtomicBoolean();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong unsent = new AtomicLong();

    private final Map<Long, Call> calls = new HashMap<>();
    private final Queue<Call> beforeWelcome = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext channel;
    private @Nullable Welcome welcome;
    private @Nullable BigtableException refusal;
    private @Nullable Future<?> patience;
    private long silentSince;
    private volatile @Nullable String closed;
    private volatile boolean everReady;

    /** Set before it is closed. */
    private volatile boolean silent;

    Connection(Address address, String user, EventLoop loop, Clock clock, Consumer<Connection> whenClosed) {
        this.address = address;
        this.answers = address + " answers";
        this.user = user;
        this.loop = loop;
        this.clock = clock;
        this.whenClosed = whenClosed;
        this.expiry = new Expiry(loop, clock, this::expire);
    }

    Address address() {
        return address;
    }

    EventLoop loop() {
        return loop;
    }

    FrameDecoder decoder() {
        return decoder;
    }

    /** True for the first who asks: that one dials. */
    boolean mustBeDialed() {
        return dialed.compareAndSet(false, true);
    }

    boolean isClosed() {
        return closed != null;
    }

    /** False if it never got so far as a welcome. */
    boolean everReady() {
        return everReady;
    }

    /** Whether it was closed because nothing came any more from a server that had welcomed. */
    boolean wasSilent() {
        return silent;
    }

    @Override
    public int maxBodyBytes() {
        return (welcome == null ? Frame.STRANGER_BYTES : RpcLimits.MAX_FRAME_BYTES) - Frame.HEADER_BYTES;
    }

    @Override
    public boolean admits(int frameBytes) {
        return true;
    }

    @Override
    public int roomAtOnce() {
        return ROOM_FOR_A_PAGE;
    }

    @Override
    public void begins(Frame.Header header, byte[] bytes, int read) {
        Call call = welcome != null && header.kind() == Frame.Kind.ANSWER ? calls.get(header.id()) : null;
        if (call != null) {
            // A copy: it is for a request, and this is a whole page.
            Codec.edge(new Input(answers, Frame.HEADER_BYTES, bytes, Frame.HEADER_BYTES, read))
                    .ifPresent(edge -> call.begins(Bytes.wrap(edge.toArray())));
        }
    }

    void send(Call call) {
        if (open.incrementAndGet() > CALLS || unsent.get() > WAITING_BYTES) {
            open.decrementAndGet();
            call.failed(new OverloadedException(
                    address + ": " + open + " requests with " + unsent + " unsent bytes wait on this connection, of "
                            + CALLS + " and " + WAITING_BYTES,
                    RETRY_AFTER_MILLIS));
            return;
        }
        unsent.addAndGet(call.frame().total());
        inbox.add(call);
        if (gathering.compareAndSet(false, true)) {
            onLoop(this::gather);
        }
    }

    /** Ends the calls whose time is over; the earliest deadline of the others. */
    private OptionalLong expire(long now) {
        List<Call> over = new ArrayList<>();
        OptionalLong earliest = OptionalLong.empty();
        for (Iterator<Call> all = calls.values().iterator(); all.hasNext(); ) {
            Call call = all.next();
            if (call.deadline() - now <= 0) {
                all.remove();
                over.add(call);
            } else if (earliest.isEmpty() || call.deadline() - earliest.getAsLong() < 0) {
                earliest = OptionalLong.of(call.deadline());
            }
        }
        for (Call call : over) {
            open.decrementAndGet();
            call.lost(address + ": no answer within " + call.timeoutMillis() + " ms");
        }
        if (!over.isEmpty() && silentSince != 0 && now - silentSince > SILENCE_NANOS) {
            silent = true;
            close("nothing came for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
        }
        return earliest;
    }

    /** Calls that wait fail, and those that come later; the channel is closed. */
    void close(String why) {
        if (closed == null) {
            closed = why;
            whenClosed.accept(this);
        }
        endPatience();
        expiry.stop();
        ChannelHandlerContext opened = channel;
        if (opened != null) {
            opened.close().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
        beforeWelcome.clear();
        calls.values().forEach(this::lose);
        calls.clear();
        gather();
    }

    private void gather() {
        gathering.set(false);
        boolean wrote = false;
        for (Call call = inbox.poll(); call != null; call = inbox.poll()) {
            if (closed != null) {
                unsent.addAndGet(-call.frame().total());
                lose(call);
            } else if (!call.future().isDone()) {
                calls.put(call.id(), call);
                expiry.expect(call.deadline());
                wrote |= write(call);
            }
        }
        ChannelHandlerContext opened = channel;
        if (wrote && opened != null) {
            opened.flush();
        }
    }

    private void lose(Call call) {
        open.decrementAndGet();
        BigtableException refused = refusal;
        if (refused != null) {
            call.failed(refused);
        } else {
            call.lost(address + ": " + closed);
        }
    }

    private boolean write(Call call) {
        ChannelHandlerContext opened = channel;
        Welcome greeted = welcome;
        int size = call.frame().total();
        if (opened == null || greeted == null) {
            beforeWelcome.add(call);
            return false;
        }
        if (size > greeted.frameBytes()) {
            unsent.addAndGet(-size);
            end(call.id())
                    .failed(new RejectedException(
                            address + ": a request of " + size + " bytes, more than " + greeted.frameBytes(),
                            "send it in parts"));
            return false;
        }
        call.becomesWritten();
        if (silentSince == 0) {
            silentSince = clock.nanos();
        }
        opened.write(Frame.finish(call.frame())).addListener(done -> unsent.addAndGet(-size));
        return true;
    }

    private Call end(long id) {
        Call call = calls.remove(id);
        if (call == null) {
            throw new IllegalStateException("no call " + id);
        }
        open.decrementAndGet();
        return call;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context;
        Output out = Frame.begin(Frame.Kind.HELLO, 0, 0);
        new Hello(Codec.controlFingerprint(), user).encode(out);
        patience = context.executor().schedule(this::giveUpWithoutWelcome, HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS);
        context.writeAndFlush(Frame.finish(out)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws BigtableException {
        silentSince = 0;
        Frame frame = (Frame) message;
        if (welcome == null) {
            greeted(context, frame);
            return;
        }
        if (frame.kind() != Frame.Kind.ANSWER && frame.kind() != Frame.Kind.FAILURE) {
            throw new CorruptionException("a frame of kind " + frame.kind() + " is no answer");
        }
        Call call = calls.remove(frame.id());
        if (call == null) {
            return; // Its time was over.
        }
        open.decrementAndGet();
        try {
            if (frame.kind() == Frame.Kind.ANSWER) {
                call.answered(Codec.decodeAnswer(frame.body(answers)));
            } else {
                call.failed(Codec.decodeFailure(frame.body(answers)));
            }
        } catch (BigtableException unreadable) {
            call.failed(unreadable);
        }
    }

    private void greeted(ChannelHandlerContext context, Frame frame) throws BigtableException {
        switch (frame.kind()) {
            case WELCOME -> {
                Welcome read = Welcome.decode(frame.body(address + " welcomes"));
                welcome = read;
                everReady = true;
                endPatience();
                if (read.fingerprint() != Codec.controlFingerprint()) {
                    LOG.warn("{}: has other control messages; those that differ will be refused", address);
                }
                boolean wrote = false;
                for (Call call = beforeWelcome.poll(); call != null; call = beforeWelcome.poll()) {
                    if (calls.containsKey(call.id())) {
                        wrote |= write(call);
                    } else {
                        unsent.addAndGet(-call.frame().total());
                    }
                }
                if (wrote) {
                    context.flush();
                }
            }
            case FAILURE -> {
                refusal = Codec.decodeFailure(frame.body(address + " refuses"));
                close("refused");
            }
            case HELLO, REQUEST, ANSWER ->
                throw new CorruptionException("a frame of kind " + frame.kind() + " before the welcome");
        }
    }

    private void giveUpWithoutWelcome() {
        close("no welcome within " + HANDSHAKE_MILLIS + " ms");
    }

    private void endPatience() {
        if (patience != null) {
            patience.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        close("the connection was lost");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        if (failure instanceof IOException && !(failure instanceof BigtableException)) {
            LOG.debug("{}: connection lost: {}", address, failure.getMessage());
        } else if (failure instanceof BigtableException damage) {
            LOG.warn("{}: connection closed: {}", address, damage.getMessage());
        } else {
            LOG.error("{}: connection closed", address, failure);
        }
        close("the connection was lost: " + failure.getMessage());
    }

    private void onLoop(Runnable action) {
        if (loop.inEventLoop()) {
            action.run();
            return;
        }
        try {
            loop.execute(action);
        } catch (RejectedExecutionException stopped) {
            for (Call call = inbox.poll(); call != null; call = inbox.poll()) {
                call.lost(address + ": this process has closed its network");
            }
        }
    }
}
