package bt.examples.hostile;

import bt.base.Crc32c;
import bt.base.Output;
import bt.protocol.Codec;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/** Frames of docs/formats/wire.md as a stranger would write them: from the page, with nothing of the product's. */
final class WireFrames {
    static final int HEADER_BYTES = 24;
    static final int LENGTH_AT = 4;
    static final int CRC_AT = 20;
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int REQUEST = 3;
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

    /** Reads one frame and forgets it; its kind, or empty when the connection is closed. */
    static Optional<Integer> read(DataInputStream in) throws IOException {
        byte[] header = new byte[HEADER_BYTES];
        if (in.readNBytes(header, 0, HEADER_BYTES) < HEADER_BYTES) {
            return Optional.empty();
        }
        int length = 0;
        for (int i = 7; i >= 4; i--) {
            length = (length << 8) | (header[i] & 0xff);
        }
        if ((header[0] & 0xff) != MAGIC || length < 0 || length > MOST_BODY_BYTES) {
            throw new IOException("the server sent what is no frame");
        }
        try {
            in.skipNBytes(length);
        } catch (EOFException cut) {
            return Optional.empty();
        }
        return Optional.of((int) header[1]);
    }
}
