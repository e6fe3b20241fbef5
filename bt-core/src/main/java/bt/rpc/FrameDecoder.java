package bt.rpc;

import bt.base.CorruptionException;
import bt.base.Crc32c;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the stream into frames. Room for a body is made once its gate admits it; the body of a refused frame is let go as
 * it comes and a {@link Refused} stands for it. After the first byte that is wrong nothing more is read. Its event loop
 * owns it.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
    /** So much of a body or more has come when its beginning is shown: most edges of pages are shorter. */
    private static final int BEGINNING_BYTES = 1 << 10;

    private final Gate gate;
    private final byte[] start = new byte[Frame.HEADER_BYTES];
    private final Crc32c.Sum sum = new Crc32c.Sum();
    private Frame.@Nullable Header header;
    private byte @Nullable [] frame;
    private int read;
    private boolean shown;
    private long frames;
    private long bytes;
    private boolean broken;

    FrameDecoder(Gate gate) {
        this.gate = gate;
    }

    /** Says what may come in. */
    interface Gate {
        int maxBodyBytes();

        boolean admits(int frameBytes);

        /** Room that a frame has from its beginning; the rest is made once that has come. */
        int roomAtOnce();

        /**
         * A long frame has begun to come, and so many bytes of it are there: once, before it comes whole. Nothing of it is
         * certain before its checksum.
         */
        default void begins(Frame.Header header, byte[] bytes, int read) {}
    }

    /** A request that there was no room for. */
    record Refused(long id) {}

    /** True between the first byte of a frame and its last. */
    boolean midFrame() {
        return read > 0;
    }

    /** How many frames have come whole. */
    long frames() {
        return frames;
    }

    /** How many bytes have come. */
    long bytes() {
        return bytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        bytes += in.readableBytes();
        try {
            while (in.isReadable() && !broken) {
                step(context, in);
            }
        } catch (CorruptionException damage) {
            broken = true;
            context.fireExceptionCaught(damage);
        } finally {
            in.release();
        }
    }

    private void step(ChannelHandlerContext context, ByteBuf in) throws CorruptionException {
        Frame.Header known = header;
        if (known == null) {
            known = readHeader(in);
        } else {
            readBody(known, in);
        }
        if (known != null && read == Frame.HEADER_BYTES + known.length()) {
            Object whole = frame == null ? refused(known) : Frame.of(known, frame, sum);
            header = null;
            frame = null;
            read = 0;
            shown = false;
            frames++;
            context.fireChannelRead(whole);
        }
    }

    /** Of whose id nobody could be sure without the checksum: it may be that of another call, which is under way. */
    private Refused refused(Frame.Header known) throws CorruptionException {
        Frame.check(known, sum);
        return new Refused(known.id());
    }

    private Frame.@Nullable Header readHeader(ByteBuf in) throws CorruptionException {
        int bytes = Math.min(Frame.HEADER_BYTES - read, in.readableBytes());
        in.readBytes(start, read, bytes);
        read += bytes;
        if ((start[0] & 0xff) != Frame.MAGIC) {
            throw new CorruptionException("first byte %02x, no frame of bt begins so".formatted(start[0]));
        }
        if (read < Frame.HEADER_BYTES) {
            return null;
        }
        Frame.Header known = Frame.Header.decode(start, gate.maxBodyBytes());
        int size = Frame.HEADER_BYTES + known.length();
        frame = gate.admits(size) ? Arrays.copyOf(start, Math.min(size, gate.roomAtOnce())) : null;
        header = known;
        Frame.beginSum(sum, start);
        return known;
    }

    private void readBody(Frame.Header known, ByteBuf in) {
        int size = Frame.HEADER_BYTES + known.length();
        int more = Math.min(size - read, in.readableBytes());
        byte[] into = frame;
        if (into == null) {
            sum.add(in.nioBuffer(in.readerIndex(), more));
            in.skipBytes(more);
        } else {
            if (into.length < read + more) {
                into = Arrays.copyOf(into, size);
                frame = into;
            }
            in.readBytes(into, read, more);
            sum.add(into, read, more);
        }
        read += more;
        if (into != null && !shown && read < size && read >= Frame.HEADER_BYTES + BEGINNING_BYTES) {
            shown = true;
            gate.begins(known, into, read);
        }
    }
}
