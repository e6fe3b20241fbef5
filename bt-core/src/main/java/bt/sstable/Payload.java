package bt.sstable;

import java.util.Arrays;

/** The bytes that a block on disk stands for: a part of an array that nobody changes any more. */
final class Payload {
    final byte[] array;
    final int from;
    final int to;

    Payload(byte[] array, int from, int to) {
        this.array = array;
        this.from = from;
        this.to = to;
    }

    Payload copy() {
        return new Payload(Arrays.copyOfRange(array, from, to), 0, length());
    }

    int length() {
        return to - from;
    }
}
