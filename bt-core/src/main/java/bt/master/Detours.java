package bt.master;

import bt.base.Failures;
import bt.base.Scheduler;
import bt.metadata.MetadataRow;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletLocation;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that hold their locks and answer others, and not this master. They are not dead, and serve what they have; but without what
 * METADATA's tablets say there nothing can be recovered, assigned or created. So these are moved away, by the word of a server that both
 * reach. It is a move like any other, so it does no harm where the server was only slow: nothing is decided on that but where a tablet is
 * served. Owned by the master's thread.
 */
final class Detours {
    private static final Logger log = LoggerFactory.getLogger(Detours.class);

    /** Until an order of which nothing has come is given once more. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final TabletOrders orders;
    private final Scheduler scheduler;

    /** Those that we do not reach, by their ids, with the last of those that do. */
    private final Map<String, Way> ways = new TreeMap<>();

    private final Map<TabletId, Long> ordered = new HashMap<>();

    Detours(TabletOrders orders, Scheduler scheduler) {
        this.orders = orders;
        this.scheduler = scheduler;
    }

    private record Way(Member silent, Member witness) {}

    /** Who is silent now: all others have answered, or are dead. */
    void retain(Collection<Member> silent) {
        ways.values().removeIf(way -> !silent.contains(way.silent()));
        if (ways.isEmpty()) {
            ordered.clear();
        }
    }

    /** The witness has just had an answer of the silent one, that is silent to us for long. */
    void add(Member silent, Member witness) {
        if (ways.put(silent.id(), new Way(silent, witness)) == null) {
            log.warn("{} answers {}, and not this master", silent.id(), witness.id());
        }
    }

    /** Has a tablet of METADATA moved to where we reach it. */
    void look(MetadataRow row, Sight sight) {
        Optional<Way> way = sight.holder(row.location()).map(Member::id).map(ways::get);
        if (way.isEmpty() || row.location().getPhase() != Phase.SERVING || isRecent(row.id())) {
            return;
        }
        Member witness = way.get().witness();
        List<Member> takers = sight.takersOfUnserved();
        if (!takers.isEmpty() && sight.answered().containsKey(witness)) {
            move(row.id(), way.get(), takers.contains(witness) ? witness : takers.get(0));
        }
    }

    private boolean isRecent(TabletId tablet) {
        Long last = ordered.get(tablet);
        return last != null && scheduler.clock().nanos() - last < AGAIN_NANOS;
    }

    private void move(TabletId tablet, Way way, Member target) {
        ordered.put(tablet, scheduler.clock().nanos());
        log.warn("{} goes from {} to {}", tablet, way.silent().id(), target.id());
        TabletLocation next =
                new TabletLocation(Phase.LOADING, target.id(), target.address().toString(), target.epoch());
        CompletableFuture<?> unused = orders.unloadBy(way.witness(), tablet, way.silent(), next)
                .exceptionally(failure -> {
                    log.warn(
                            "{} was asked to have {} give {} up: {}",
                            way.witness().id(),
                            way.silent().id(),
                            tablet,
                            Failures.unwrap(failure).getMessage());
                    return null;
                });
    }

    /** For operators. */
    List<String> problems() {
        return ways.values().stream()
                .map(way -> way.silent().id() + " answers " + way.witness().id()
                        + ", and not the master: mend the network between them; until then tablets that it has stay there,"
                        + " but for METADATA's, and it is given none")
                .toList();
    }
}
