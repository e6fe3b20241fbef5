package bt.tabletserver;

import bt.base.Bytes;
import bt.tablet.OpenWrite;
import java.util.TreeMap;

/** What a server knows of the writes of one client. One thread. */
final class KnownClient {
    private final long id;

    /** By their numbers. */
    final TreeMap<Long, Outcome> open = new TreeMap<>();

    /** The client's word: it has answers for all below. */
    long answeredBelow = Long.MIN_VALUE;

    /** What is below and not open is not known; that word at least. */
    long unknownBelow = Long.MIN_VALUE;

    /** When it wrote last. */
    long heardMicros;

    /** Of {@link KnownClients}: from which host it wrote last, and what its open writes hold. */
    String host;

    long bytes;

    KnownClient(long id, String host) {
        this.id = id;
        this.host = host;
    }

    /** An answered write to a row of the table. */
    record Outcome(long tableId, OpenWrite write) {
        /** About what it holds of the heap, without its row. */
        static final long HELD_BYTES = 200;

        /** Of a write to that row. */
        static long bytes(Bytes row) {
            return HELD_BYTES + row.length();
        }

        long bytes() {
            return bytes(write.row());
        }
    }

    long id() {
        return id;
    }

    String host() {
        return host;
    }

    /** With the word of its author now: whoever takes the write over must not apply a late copy of one before it. */
    OpenWrite told(OpenWrite write) {
        return write.author().lowestOpen() >= answeredBelow ? write : write.told(answeredBelow);
    }
}
