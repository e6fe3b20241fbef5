package bt.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.function.BooleanSupplier;

/**
 * What a connection's requests hold, from their first byte until their answer is sent, and with it whether more is read.
 * Answers that wait for a slow reader count, so that such a reader is no longer read from. Owned by the connection's event
 * loop.
 */
final class InFlight {
    private final RpcLimits limits;
    private final Budget budget;
    private final BooleanSupplier isFromCluster;
    private final StallWatch stalls;
    private int arriving;
    private int requests;
    private long bytes;
    /** Of these the bytes of answers that are not sent yet. */
    private long answerBytes;

    /** Whether the connection comes from a machine of the cluster may be known later than it begins. */
    InFlight(RpcLimits limits, Budget budget, BooleanSupplier isFromCluster, StallWatch stalls) {
        this.limits = limits;
        this.budget = budget;
        this.isFromCluster = isFromCluster;
        this.stalls = stalls;
    }

    /** Whether a request of so many bytes, which begins to arrive, finds room in the server; then it has it. */
    boolean admits(int frameBytes) {
        boolean admitted = budget.enter(frameBytes, isFromCluster.getAsBoolean());
        arriving = admitted ? frameBytes : 0;
        return admitted;
    }

    /** The request has arrived. */
    void begin(Channel channel, int frameBytes) {
        arriving = 0;
        requests++;
        bytes += frameBytes;
        mindReading(channel);
    }

    /** What was to arrive does not. */
    void dropArriving() {
        if (arriving > 0) {
            budget.leave(arriving);
            arriving = 0;
        }
    }

    /** Whether what a request that holds so many bytes is made into finds room; then it has it too. */
    boolean grows(Channel channel, int requestBytes, int moreBytes) {
        // Where it is more than the connection may have, no more is read from it.
        if (!budget.grow(requestBytes, moreBytes, isFromCluster.getAsBoolean())) {
            return false;
        }
        bytes += moreBytes;
        mindReading(channel);
        return true;
    }

    /** Whether so many bytes find room beside the answers that wait; then they have it. */
    boolean takesRoom(int requestBytes, int moreBytes) {
        // Requests beside it are no reason to refuse the first one: one as large as all that the
        // connection may have would be refused, and read anew, as long as there is any.
        boolean isFirst = answerBytes == 0;
        boolean fits = isFirst || bytes + moreBytes <= limits.connectionBytes();
        return fits && budget.grow(requestBytes, moreBytes, isFromCluster.getAsBoolean());
    }

    /** Sends an answer that has room. When it is sent, its request is over. */
    void write(ChannelHandlerContext context, int requestBytes, ByteBuf out) {
        int moreBytes = out.readableBytes();
        bytes += moreBytes;
        answerBytes += moreBytes;
        stalls.sends(moreBytes);
        context.writeAndFlush(out).addListener(done -> {
            stalls.sent(moreBytes);
            answerBytes -= moreBytes;
            end(context.channel(), requestBytes + moreBytes);
        });
        mindReading(context.channel());
    }

    /** A request is over, which held so many bytes with its answer. */
    void end(Channel channel, long held) {
        requests--;
        bytes -= held;
        budget.leave(held);
        mindReading(channel);
    }

    /** Begins or ends to read, by what is held now and what the socket takes. */
    void mindReading(Channel channel) {
        boolean reading = channel.config().isAutoRead();
        boolean full = requests >= limits.connectionRequests() || bytes >= limits.connectionBytes();
        boolean low = requests <= limits.connectionRequests() / 2 && bytes <= limits.connectionBytes() / 2;
        boolean writable = channel.isWritable();
        if (reading && (full || !writable)) {
            stalls.stopsReading();
            channel.config().setAutoRead(false);
        } else if (!reading && low && writable) {
            channel.config().setAutoRead(true);
        }
    }

    String answersThatWait() {
        return "connection: answers of " + bytes + " bytes wait to be read";
    }
}
