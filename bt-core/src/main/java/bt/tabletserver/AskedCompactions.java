package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.Failures;
import bt.model.RowRange;
import bt.record.CompactionWish;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the major compactions that somebody has asked for, in the tablets that are served here. The master names them with
 * each look for as long as they last, so a tablet that comes from elsewhere, or from a split, begins its own;
 * what waits for its turn and is named no more is forgotten. Any thread.
 */
final class AskedCompactions {
    private static final Logger log = LoggerFactory.getLogger(AskedCompactions.class);

    private final TabletSet tablets;
    private final Compactor compactor;

    AskedCompactions(TabletSet tablets, Compactor compactor) {
        this.tablets = tablets;
        this.compactor = compactor;
    }

    /** Hears of all that are asked for, one of a table at most. */
    void hear(List<CompactionWish> wishes) {
        Map<Long, CompactionWish> byTable = wishes.stream()
                .collect(Collectors.toMap(CompactionWish::getTableId, wish -> wish, (one, other) -> other));
        for (TabletSet.Holding holding : tablets.all()) {
            Optional<CompactionWish> wish =
                    Optional.ofNullable(byTable.get(holding.id().tableId()));
            holding.tablet().ifPresent(hosted -> hear(hosted, wish));
        }
    }

    private void hear(HostedTablet hosted, Optional<CompactionWish> wish) {
        hosted.merging()
                .asked()
                .retain(wish.stream().mapToLong(CompactionWish::getNumber).findFirst());
        wish.ifPresent(asked -> begin(hosted, asked));
    }

    private void begin(HostedTablet hosted, CompactionWish wish) {
        AskedCompaction asked = hosted.merging().asked();
        long number = wish.getNumber();
        if (!asked.begin(number)) {
            return;
        }
        RowRange rows = new RowRange(AvroBytes.bytes(wish.getFrom()), AvroBytes.optionalBytes(wish.getTo()));
        if (hosted.tablet().range().intersect(rows).isEmpty()) {
            asked.end(number);
            return;
        }
        CompletableFuture<?> unused = compactor.flush(hosted).whenComplete((done, failure) -> {
            if (failure == null) {
                asked.want(number);
                compactor.look(hosted);
            } else {
                log.warn(
                        "{}: flush before a compaction: {}",
                        hosted.id(),
                        Failures.unwrap(failure).getMessage());
                asked.giveUp(number);
            }
        });
    }
}
