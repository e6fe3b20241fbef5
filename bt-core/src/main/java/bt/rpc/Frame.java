package bt.rpc;

import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * The unit of the wire, little-endian: magic and version u8, kind u8, flags u16, body length u32, request id u64,
 * time-out in milliseconds u32, CRC32C u32 of the whole frame with these four bytes zero; then the body. See
 * docs/formats/wire.md.
 */
final class Frame {
    static final int MAGIC = 0xb1;
    static final int HEADER_BYTES = 24;

    /** What a body may have before the handshake, so that a stranger takes no memory. */
    static final int STRANGER_BYTES = 4 << 10;

    private static final int LENGTH_AT = 4;
    private static final int CRC_AT = 20;
    private static final byte[] NO_CRC = new byte[HEADER_BYTES - CRC_AT];

    private final Header header;
    private final byte[] bytes;

    private Frame(Header header, byte[] bytes) {
        this.header = header;
        this.bytes = bytes;
    }

    Kind kind() {
        return header.kind();
    }

    long id() {
        return header.id();
    }

    int timeoutMillis() {
        return header.timeoutMillis();
    }

    int size() {
        return bytes.length;
    }

    Input body(String source) {
        return new Input(source, HEADER_BYTES, bytes, HEADER_BYTES, bytes.length);
    }

    /** Starts a frame: the body is written behind it, then {@link #finish}. Long values can be lent to it. */
    static Output begin(Kind kind, long id, int timeoutMillis) {
        Output out = Output.borrowing(256);
        out.u8(MAGIC)
                .u8(kind.number)
                .u8(0)
                .u8(0)
                .u32(0)
                .u64(id)
                .u32(timeoutMillis)
                .u32(0);
        return out;
    }

    /** Whoever writes it to no channel releases it. */
    static ByteBuf finish(Output out) {
        out.setU32(LENGTH_AT, out.total() - HEADER_BYTES);
        if (out.total() == out.size()) {
            out.setU32(CRC_AT, Crc32c.of(out.array(), 0, out.size()));
            return Unpooled.wrappedBuffer(out.array(), 0, out.size());
        }
        // What was lent is copied once, to where the socket takes it from: an array would be copied there again.
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer(out.total(), out.total());
        try {
            frame.writerIndex(out.total());
            return frame.setIntLE(CRC_AT, out.writeTo(frame.nioBuffer()));
        } catch (RuntimeException | Error failed) {
            frame.release();
            throw failed;
        }
    }

    /** Begins the checksum of a frame with its header as it came. */
    static void beginSum(Crc32c.Sum sum, byte[] header) {
        sum.begin().add(header, 0, CRC_AT).add(NO_CRC, 0, NO_CRC.length);
    }

    /** Checks a whole frame, whose header was decoded before its body came; the sum has the body too. */
    static Frame of(Header header, byte[] bytes, Crc32c.Sum sum) throws CorruptionException {
        check(header, sum);
        return new Frame(header, bytes);
    }

    /** The same of one whose body is kept nowhere. */
    static void check(Header header, Crc32c.Sum sum) throws CorruptionException {
        int crc = sum.value();
        if (crc != header.crc()) {
            throw new CorruptionException("%s frame of %d bytes: crc %08x, expected %08x"
                    .formatted(header.kind(), HEADER_BYTES + header.length(), crc, header.crc()));
        }
    }

    /** What is known of a frame before its body. */
    record Header(Kind kind, int length, long id, int timeoutMillis, int crc) {
        static Header decode(byte[] bytes, int maxBodyBytes) throws CorruptionException {
            Input in = new Input("frame", 0, bytes, 0, HEADER_BYTES);
            int magic = in.u8("magic");
            if (magic != MAGIC) {
                throw in.corrupt("magic %02x, expected %02x".formatted(magic, MAGIC));
            }
            Kind kind = Kind.of(in);
            int flags = in.u8("flags") | in.u8("flags") << 8;
            if (flags != 0) {
                throw in.corrupt("flags %04x are unknown".formatted(flags));
            }
            long length = in.u32("length") & 0xffff_ffffL;
            if (length > maxBodyBytes) {
                throw in.corrupt("length " + length + ", more than " + maxBodyBytes);
            }
            return new Header(kind, (int) length, in.u64("id"), in.u32("time-out"), in.u32("crc"));
        }
    }

    /** What a frame carries; the numbers are on the wire. */
    enum Kind {
        HELLO(1),
        WELCOME(2),
        REQUEST(3),
        ANSWER(4),
        FAILURE(5);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        static Kind of(Input in) throws CorruptionException {
            int number = in.u8("frame kind");
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            throw in.corrupt("frame kind " + number + " is unknown");
        }
    }
}
