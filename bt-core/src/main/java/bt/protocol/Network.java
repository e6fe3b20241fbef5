package bt.protocol;

import java.util.concurrent.CompletableFuture;

/** The way to other processes. Netty stands behind it, or the simulator's network. */
public interface Network {
    /**
     * Sends one request. Never blocks. Fails with a {@link bt.base.BigtableException}: the other side's own, or
     * UNAVAILABLE when there was no connection (NOT_APPLIED) or no answer in time (UNKNOWN).
     */
    CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis);

    /** The user that the other side takes us for; empty where it takes us for none. */
    default String user() {
        return "";
    }
}
