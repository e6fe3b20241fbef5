package bt.client;

import bt.base.BigtableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A write that a batch writer holds: its place there, and where what becomes of it is told. */
record BatchedWrite(PendingWrite write, Room.Place place, CompletableFuture<Long> result) {
    BatchedWrite(PendingWrite write, Room.Place place) {
        this(write, place, new CompletableFuture<>());
    }

    /** Tells it; the failure, if it has failed. */
    Optional<BigtableException> tell() {
        try {
            result.complete(write.answer());
            return Optional.empty();
        } catch (BigtableException failed) {
            result.completeExceptionally(failed);
            return Optional.of(failed);
        }
    }
}
