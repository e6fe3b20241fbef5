package bt.protocol;

import bt.base.Bytes;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The way to other processes. Netty stands behind it, or the simulator's network. */
public interface Network {
    /**
     * Sends one request. Never blocks. Fails with a {@link bt.base.BigtableException}: the other side's own, or
     * UNAVAILABLE when there was no connection (NOT_APPLIED) or no answer in time (UNKNOWN).
     */
    CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis);

    /**
     * The same. Whoever asks may be told the edge of a page that ends with a row once it begins to come, at most once and not after
     * the answer, on a thread that must not be blocked. The checksum of what comes is not known by then: where it turns out to
     * be wrong the answer is a failure.
     */
    default CompletableFuture<Answer> send(Address to, Request.Scan request, long timeoutMillis, Consumer<Bytes> edge) {
        return send(to, request, timeoutMillis);
    }

    /** The user that the other side takes us for; empty where it takes us for none. */
    default String user() {
        return "";
    }
}
