package bt.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Requests and bytes in flight, on all connections of a server or of one peer; what is in a peer's is in the server's too.
 * Behind its end lies a reserve for what keeps the cluster going, which users' requests may not have: they are told so once
 * it is known what they are. What they are is their sender's word, so half of the reserve is for the machines of the cluster
 * alone.
 *
 * <p>Of what the others leave a peer has the part that it may have of all: were it a part of all, a few hosts would share
 * everything among them, and hold it for as long as frames may take to come. Any thread.
 */
final class Budget {
    private static final int PART_OF_RESERVE = 8;
    private static final int PART_FOR_ALL = 2 * PART_OF_RESERVE;

    /** What is left of all where hosts have all that they may: of many, or of two of which one has one long request. */
    private static final int PART_LEFT = 48;

    /** What a peer for which others leave nothing has of the reserve at most: requests, and bytes of them. */
    private static final int LEAST_REQUESTS = 16;

    private static final int LEAST_BYTES = 64 << 10;

    private final String whose;
    private final int maxRequests;
    private final long maxBytes;
    private final @Nullable Budget whole;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    Budget(String whose, int maxRequests, long maxBytes, @Nullable Budget whole) {
        this.whose = whose;
        this.maxRequests = maxRequests;
        this.maxBytes = maxBytes;
        this.whole = whole;
    }

    /** A request comes in, from a machine of the cluster or from elsewhere, unless there is no room. */
    boolean enter(int requestBytes, boolean fromCluster) {
        if (whole != null && !whole.enter(requestBytes, fromCluster)) {
            return false;
        }
        if (requests.incrementAndGet() <= most(maxRequests, requestShare(), LEAST_REQUESTS, fromCluster)
                && growAlone(0, requestBytes, fromCluster)) {
            return true;
        }
        requests.decrementAndGet();
        if (whole != null) {
            whole.leave(requestBytes);
        }
        return false;
    }

    /** More bytes for a request that is in and has some; one that is alone may have more than the whole budget. */
    boolean grow(int hasBytes, int moreBytes, boolean fromCluster) {
        if (whole != null && !whole.grow(hasBytes, moreBytes, fromCluster)) {
            return false;
        }
        if (growAlone(hasBytes, moreBytes, fromCluster)) {
            return true;
        }
        if (whole != null) {
            whole.shrink(moreBytes);
        }
        return false;
    }

    /** Bytes of an answer that must not be withheld, because it says what became of a write. */
    void force(int moreBytes) {
        bytes.addAndGet(moreBytes);
        if (whole != null) {
            whole.force(moreBytes);
        }
    }

    void leave(long requestAndAnswerBytes) {
        shrink(requestAndAnswerBytes);
        requests.decrementAndGet();
        if (whole != null) {
            whole.requests.decrementAndGet();
        }
    }

    /** Whether more is in flight than users may have, with what came in last. */
    boolean isInReserve() {
        int now = requests.get();
        return now > requestShare() || (now > 1 && bytes.get() > byteShare()) || (whole != null && whole.isInReserve());
    }

    long bytes() {
        return bytes.get();
    }

    boolean isEmpty() {
        return requests.get() == 0 && bytes.get() == 0;
    }

    private boolean growAlone(int hasBytes, int moreBytes, boolean fromCluster) {
        long now = bytes.addAndGet(moreBytes);
        boolean isAlone = now == (long) hasBytes + moreBytes;
        if (now <= most(maxBytes, byteShare(), LEAST_BYTES, fromCluster)
                || (isAlone && mayHaveMoreAlone(fromCluster))) {
            return true;
        }
        bytes.addAndGet(-moreBytes);
        return false;
    }

    /** While others have hardly anything; or no more than one of them may have, and something is left for more of them. */
    private boolean mayHaveMoreAlone(boolean fromCluster) {
        if (whole == null || fromCluster) {
            return true;
        }
        long all = whole.bytes.get();
        long others = others(all, bytes.get());
        long little = whole.maxBytes / PART_LEFT;
        return others <= little || (others <= withReserve(maxBytes, false) && all <= whole.maxBytes - 2 * little);
    }

    /** What a peer may have while others have what they have: all that it may ever have while these have nothing. */
    private long requestShare() {
        return whole == null
                ? maxRequests
                : share(maxRequests, whole.maxRequests, others(whole.requests.get(), requests.get()));
    }

    private long byteShare() {
        return whole == null ? maxBytes : share(maxBytes, whole.maxBytes, others(whole.bytes.get(), bytes.get()));
    }

    /** Of numbers that others change meanwhile. */
    private static long others(long all, long mine) {
        return Math.max(0, all - mine);
    }

    private static long share(long max, long wholeMax, long others) {
        if (max >= wholeMax) {
            return Math.max(0, wholeMax - others);
        }
        // The rest is for what each of many hosts may have beyond its share.
        long shared = wholeMax - wholeMax / PART_LEFT;
        double part = Math.min(1, (double) max / shared);
        return Math.min(max, (long) (part * Math.max(0, shared - others)));
    }

    /** With the reserve; machines of the cluster have all that a peer may ever have. */
    private static long most(long max, long share, int least, boolean fromCluster) {
        return fromCluster || share == max
                ? withReserve(max, fromCluster)
                : Math.min(withReserve(max, false), Math.max(withReserve(share, false), share + least));
    }

    private static long withReserve(long limit, boolean fromCluster) {
        return limit + Math.max(1, limit / (fromCluster ? PART_OF_RESERVE : PART_FOR_ALL));
    }

    private void shrink(long lessBytes) {
        bytes.addAndGet(-lessBytes);
        if (whole != null) {
            whole.shrink(lessBytes);
        }
    }

    @Override
    public String toString() {
        return whose + " has " + requests + " requests with " + bytes + " bytes in flight, of " + maxRequests + " and "
                + maxBytes
                + (whole == null ? "" : ", of which others leave it " + requestShare() + " and " + byteShare());
    }
}
