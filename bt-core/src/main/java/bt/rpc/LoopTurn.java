package bt.rpc;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Whether an event loop gets on. Whoever asks is answered when the loop comes to what it is asked to do, or has worked off what was
 * read of a connection, whichever is sooner: while very many have something to read the first may take long. Any thread asks.
 */
final class LoopTurn {
    private final Queue<CompletableFuture<Void>> asked = new ConcurrentLinkedQueue<>();

    /** Completes when the loop next gets on. */
    CompletableFuture<Void> next() {
        CompletableFuture<Void> next = new CompletableFuture<>();
        asked.add(next);
        return next;
    }

    /** The loop has got on. */
    void taken() {
        for (CompletableFuture<Void> next = asked.poll(); next != null; next = asked.poll()) {
            next.complete(null);
        }
    }
}
