package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.SplitIntent;
import bt.tabletserver.TabletJobs.Part;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What METADATA is still to be told when a tablet is split and both halves serve. The lower half's row before any other change of
 * it, then the intent goes. Until the first is done nobody finds the half who does not come here already; the master does both
 * should we die. Any thread; the work is jobs of the halves.
 */
final class HalfRows {
    private static final Logger log = LoggerFactory.getLogger(HalfRows.class);

    private final Pools pools;
    private final Patience patience;

    HalfRows(Pools pools, Patience patience) {
        this.pools = pools;
        this.patience = patience;
    }

    /** Returns at once; {@code told} completes with the lower half's last row when METADATA has both rows. */
    void complete(HostedTablet lower, HostedTablet upper, SplitIntent split, CompletableFuture<Bytes> told) {
        CompletableFuture<?> unused = lower.jobs()
                .submit(() -> write(lower, split, told), pools.partings(lower.id()), pools.rests(lower.id()))
                .thenCompose(done -> upper.jobs()
                        .submit(() -> removeIntent(upper, split), pools.partings(upper.id()), pools.rests(upper.id())))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        told.completeExceptionally(failure);
                        log.error(
                                "{}: its split is left for the master to complete: {}",
                                upper.id(),
                                failure.getMessage());
                    }
                });
    }

    private Optional<Part> write(HostedTablet lower, SplitIntent split, CompletableFuture<Bytes> told)
            throws BigtableException, InterruptedException {
        if (patience.ask(millis -> lower.row().complete(split, millis)).isPresent()) {
            return Optional.of(() -> write(lower, split, told));
        }
        told.complete(lower.id().endRow().orElseThrow());
        return Optional.empty();
    }

    /** Where the upper half has left before, the intent went with it, for whoever loads it. */
    private Optional<Part> removeIntent(HostedTablet upper, SplitIntent split)
            throws BigtableException, InterruptedException {
        return upper.tablet().isClosed()
                ? Optional.empty()
                : removeIntent(upper.row().serve(split::removedFrom, "the lower half has its row"));
    }

    private Optional<Part> removeIntent(RowPursuit change) throws BigtableException, InterruptedException {
        return patience.ask(change::attempt).map(silence -> () -> removeIntent(change));
    }
}
