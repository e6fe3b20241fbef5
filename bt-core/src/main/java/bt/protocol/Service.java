package bt.protocol;

import java.util.concurrent.CompletableFuture;

/** A tablet server's or a master's side of {@link Network}. Called on an event loop: it must not block. */
@FunctionalInterface
public interface Service {
    /** Fails with a {@link bt.base.BigtableException}; anything else is a bug and closes the connection. */
    CompletableFuture<? extends Answer> handle(Caller caller, Request request);
}
