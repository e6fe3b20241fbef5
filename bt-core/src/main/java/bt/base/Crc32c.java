package bt.base;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C (Castagnoli), the checksum of every block, record and frame; the JDK computes it with the CPU's instruction. */
public final class Crc32c {
    private Crc32c() {}

    public static int of(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    /** Of what is left of the buffer, which is read to its end. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Of bytes that come one after the other: each part is summed up while the CPU has it at hand. One thread. */
    public static final class Sum {
        private final CRC32C crc = new CRC32C();

        /** Forgets what was added. */
        public Sum begin() {
            crc.reset();
            return this;
        }

        public Sum add(byte[] bytes, int offset, int length) {
            crc.update(bytes, offset, length);
            return this;
        }

        /** What is left of the buffer, which is read to its end. */
        public Sum add(ByteBuffer bytes) {
            crc.update(bytes);
            return this;
        }

        /** Of all that was added. */
        public int value() {
            return (int) crc.getValue();
        }
    }
}
