package bt.examples.hostile;

import bt.base.Crc32c;
import bt.base.Output;
import bt.protocol.Codec;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Frames of docs/formats/wire.md as a stranger would write them: from the page, with nothing of the product's. */
final class WireFrames {
    static final int HEADER_BYTES = 24;
    static final int LENGTH_AT = 4;
    static final int ID_AT = 8;
    static final int CRC_AT = 20;
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int REQUEST = 3;
    static final int ANSWER = 4;
    static final int FAILURE = 5;
    private static final int MAGIC = 0xb1;
    private static final int MOST_BODY_BYTES = 100 << 20;
    private static final int TIMEOUT_MILLIS = 5_000;

    private WireFrames() {}

    /** A whole frame with its right checksum. */
    static byte[] frame(int kind, long id, byte[] body) {
        Output out = new Output(HEADER_BYTES + body.length);
        out.u8(MAGIC)
                .u8(kind)
                .u8(0)
                .u8(0)
                .u32(body.length)
                .u64(id)
                .u32(TIMEOUT_MILLIS)
                .u32(0)
                .raw(body);
        out.setU32(CRC_AT, Crc32c.of(out.array(), 0, out.size()));
        return out.toArray();
    }

    static byte[] hello(String user) {
        Output body = new Output(64);
        body.raw(new byte[] {'b', 't', 'r', 'p'})
                .u8(1)
                .u8(1)
                .u64(Codec.controlFingerprint())
                .u8(1)
                .text(user);
        return frame(HELLO, 0, body.toArray());
    }

    /**
     * What is kept of a frame.
     *
     * @param firstByte of its body, 0 if it has none: of a failure the kind
     */
    record Head(int kind, long id, int firstByte) {}

    /** Reads one frame and forgets most of it; empty when the connection is closed. */
    static Optional<Head> read(DataInputStream in) throws IOException {
        byte[] header = new byte[HEADER_BYTES];
        if (in.readNBytes(header, 0, HEADER_BYTES) < HEADER_BYTES) {
            return Optional.empty();
        }
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        int length = fields.getInt(LENGTH_AT);
        if ((header[0] & 0xff) != MAGIC || length < 0 || length > MOST_BODY_BYTES) {
            throw new IOException("the server sent what is no frame");
        }
        try {
            int firstByte = length > 0 ? in.readUnsignedByte() : 0;
            in.skipNBytes(Math.max(0, length - 1));
            return Optional.of(new Head(header[1], fields.getLong(ID_AT), firstByte));
        } catch (EOFException cut) {
            return Optional.empty();
        }
    }
}
