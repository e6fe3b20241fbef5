package bt.rpc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Requests and bytes in flight on all connections of a server. Any thread. */
final class Budget {
    private final RpcLimits limits;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    Budget(RpcLimits limits) {
        this.limits = limits;
    }

    /** A request comes in, unless there is no room. */
    boolean enter(int requestBytes) {
        if (requests.incrementAndGet() <= limits.serverRequests() && grow(requestBytes)) {
            return true;
        }
        requests.decrementAndGet();
        return false;
    }

    /** More bytes for a request that is in; the first may be longer than the whole budget. */
    boolean grow(int moreBytes) {
        long now = bytes.addAndGet(moreBytes);
        if (now <= limits.serverBytes() || now == moreBytes) {
            return true;
        }
        bytes.addAndGet(-moreBytes);
        return false;
    }

    /** Bytes of an answer that must not be withheld, because it says what became of a write. */
    void force(int moreBytes) {
        bytes.addAndGet(moreBytes);
    }

    void leave(long requestAndAnswerBytes) {
        bytes.addAndGet(-requestAndAnswerBytes);
        requests.decrementAndGet();
    }

    long bytes() {
        return bytes.get();
    }

    boolean isEmpty() {
        return requests.get() == 0 && bytes.get() == 0;
    }

    @Override
    public String toString() {
        return requests + " requests with " + bytes + " bytes in flight, of " + limits.serverRequests() + " and "
                + limits.serverBytes();
    }
}
