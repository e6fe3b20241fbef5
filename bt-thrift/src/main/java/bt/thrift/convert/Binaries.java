package bt.thrift.convert;

import bt.base.Bytes;
import java.nio.ByteBuffer;

/** Byte strings. */
final class Binaries {
    private Binaries() {}

    static ByteBuffer of(Bytes bytes) {
        return ByteBuffer.wrap(bytes.toArray());
    }

    /** A copy: the buffer is a window on the whole frame, which what we keep must not hold in memory. */
    static Bytes of(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return Bytes.wrap(bytes);
    }
}
