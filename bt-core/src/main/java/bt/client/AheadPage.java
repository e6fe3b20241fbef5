package bt.client;

import bt.protocol.Answer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A page that was asked for before it is wanted. It is had once, by whoever is first: by who wants it, or by who needs its
 * room more and gives it up. Any thread.
 */
final class AheadPage {
    private final AtomicReference<@Nullable CompletableFuture<Answer>> answer = new AtomicReference<>();

    /** It was asked for, once. */
    void asked(CompletableFuture<Answer> coming) {
        answer.set(coming);
    }

    /** What it is answered, or will be; empty where it was given up. */
    Optional<CompletableFuture<Answer>> take() {
        return Optional.ofNullable(answer.getAndSet(null));
    }

    /** It will be asked for again when it is wanted. */
    void giveUp() {
        answer.set(null);
    }
}
