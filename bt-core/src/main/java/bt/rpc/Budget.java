package bt.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Requests and bytes in flight, on all connections of a server or of one peer; what is in a peer's is in the server's too.
 * Behind its end lies a reserve for what keeps the cluster going, which users' requests may not have: they are told so once
 * it is known what they are. What they are is their sender's word, so half of the reserve is for the machines of the cluster
 * alone. Any thread.
 */
final class Budget {
    private static final int PART_OF_RESERVE = 8;
    private static final int PART_FOR_ALL = 2 * PART_OF_RESERVE;

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
        if (requests.incrementAndGet() <= withReserve(maxRequests, fromCluster)
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
        return now > maxRequests || (now > 1 && bytes.get() > maxBytes) || (whole != null && whole.isInReserve());
    }

    long bytes() {
        return bytes.get();
    }

    boolean isEmpty() {
        return requests.get() == 0 && bytes.get() == 0;
    }

    private boolean growAlone(int hasBytes, int moreBytes, boolean fromCluster) {
        long now = bytes.addAndGet(moreBytes);
        if (now <= withReserve(maxBytes, fromCluster) || now == (long) hasBytes + moreBytes) {
            return true;
        }
        bytes.addAndGet(-moreBytes);
        return false;
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
                + maxBytes;
    }
}
