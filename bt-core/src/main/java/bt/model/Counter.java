package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Bytes;
import bt.base.Output;

/**
 * A signed 64-bit integer as a cell's value: eight bytes, big-endian. What {@link Change.Increment} adds to. Section 3
 * of the paper has cells as integer counters.
 */
public final class Counter {
    private Counter() {}

    /** The eight bytes of a count, as a value to be written or compared with. */
    public static Bytes encode(long count) {
        return new Output(Long.BYTES).bigU64(count).toBytes();
    }

    /** IllegalArgumentException when the value has not eight bytes. */
    public static long decode(Bytes value) {
        checkGiven(
                value.length() == Long.BYTES,
                "a value of %d bytes is no counter, which has %d",
                "use another column, or delete it first",
                value.length(),
                Long.BYTES);
        long count = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            count = (count << Byte.SIZE) | (value.at(i) & 0xff);
        }
        return count;
    }
}
