package bt.client;

import bt.base.BigtableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A write that a batch writer holds: its place there, and where what becomes of it is told. Owned by who tells it. */
final class BatchedWrite {
    private final PendingWrite write;
    private final Room.Place place;
    private final CompletableFuture<Long> result = new CompletableFuture<>();

    /** Not whether the result is complete: that one the application has, and it may have cancelled it. */
    private boolean told;

    BatchedWrite(PendingWrite write, Room.Place place) {
        this.write = write;
        this.place = place;
    }

    PendingWrite write() {
        return write;
    }

    Room.Place place() {
        return place;
    }

    CompletableFuture<Long> result() {
        return result;
    }

    /** Tells it; the failure, if it has failed and that was not told before. */
    Optional<BigtableException> tell() {
        boolean again = told;
        told = true;
        try {
            result.complete(write.answer());
            return Optional.empty();
        } catch (BigtableException failed) {
            result.completeExceptionally(failed);
            return again ? Optional.empty() : Optional.of(failed);
        }
    }
}
