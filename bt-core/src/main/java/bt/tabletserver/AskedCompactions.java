package bt.tabletserver;

import bt.base.AvroBytes;
import bt.base.Clock;
import bt.base.Failures;
import bt.model.RowRange;
import bt.record.CompactionWish;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the flushes and the major compactions that somebody has asked for, in the tablets that are served here. The master
 * names them with each look for as long as they last, so a tablet that comes from elsewhere, or from a split, begins its own;
 * what waits for its turn and is named no more is forgotten. Any thread.
 */
final class AskedCompactions {
    private static final Logger log = LoggerFactory.getLogger(AskedCompactions.class);

    private final TabletSet tablets;
    private final Compactor compactor;
    private final Clock clock;

    AskedCompactions(TabletSet tablets, Compactor compactor, Clock clock) {
        this.tablets = tablets;
        this.compactor = compactor;
        this.clock = clock;
    }

    /** Hears of all that are asked for, of each kind one of a table at most. */
    void hear(List<CompactionWish> compactions, List<CompactionWish> flushes) {
        Map<Long, CompactionWish> toCompact = byTable(compactions);
        Map<Long, CompactionWish> toFlush = byTable(flushes);
        for (TabletSet.Holding holding : tablets.all()) {
            long table = holding.id().tableId();
            holding.tablet().ifPresent(hosted -> {
                hear(hosted, hosted.merging().asked(), toCompact.get(table), true);
                hear(hosted, hosted.merging().askedFlush(), toFlush.get(table), false);
            });
        }
    }

    private static Map<Long, CompactionWish> byTable(List<CompactionWish> wishes) {
        return wishes.stream()
                .collect(Collectors.toMap(CompactionWish::getTableId, wish -> wish, (one, other) -> other));
    }

    private void hear(HostedTablet hosted, AskedCompaction asked, @Nullable CompactionWish wish, boolean withFiles) {
        asked.retain(wish == null ? OptionalLong.empty() : OptionalLong.of(wish.getNumber()));
        if (wish != null && asked.begin(wish.getNumber(), clock.nanos())) {
            begin(hosted, asked, wish, withFiles);
        }
    }

    private void begin(HostedTablet hosted, AskedCompaction asked, CompactionWish wish, boolean withFiles) {
        long number = wish.getNumber();
        RowRange rows = new RowRange(AvroBytes.bytes(wish.getFrom()), AvroBytes.optionalBytes(wish.getTo()));
        if (hosted.tablet().range().intersect(rows).isEmpty()) {
            asked.end(number);
            return;
        }
        // Who has asked is not known here: each table has its turn after the other.
        String whose = "table " + wish.getTableId();
        CompletableFuture<?> unused = compactor
                .flushInTurn(hosted, whose, () -> asked.isBegun(number))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        fail(hosted, asked, number, failure);
                    } else if (withFiles) {
                        asked.want(number);
                        compactor.look(hosted);
                    } else {
                        asked.end(number);
                    }
                });
    }

    /** A look after it has rested names it again. */
    private void fail(HostedTablet hosted, AskedCompaction asked, long number, Throwable failure) {
        if (asked.fail(number, failure, clock.nanos()) > 0) {
            log.warn(
                    "{}: a flush that was asked for: {}",
                    hosted.id(),
                    Failures.unwrap(failure).getMessage());
        }
    }
}
