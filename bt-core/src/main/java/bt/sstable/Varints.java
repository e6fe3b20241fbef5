package bt.sstable;

/** Reads varints of 32 bits out of an array. Makes no exception of damage: a decoder asks it for every block. */
final class Varints {
    private final byte[] array;
    private int at;
    private int end;

    Varints(byte[] array, int from, int end) {
        this.array = array;
        this.at = from;
        this.end = end;
    }

    int at() {
        return at;
    }

    void endAt(int newEnd) {
        end = newEnd;
    }

    boolean hasNext() {
        return at < end;
    }

    /** -1 when what is there is none. */
    long next() {
        long value = 0;
        for (int shift = 0; shift < 35 && at < end; shift += 7) {
            byte b = array[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value <= 0xffff_ffffL ? value : -1;
            }
        }
        return -1;
    }
}
