package bt.master;

import bt.base.Deadline;
import bt.base.Dwindling;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tablets that servers give up, waited for as long as some do leave. Each counts once, when METADATA says that it has left or no server is known
 * to have it any more. How many are left tells nothing: what a server has that was silent comes to be known while others leave, and what is
 * being loaded when it is served. Owned by the master's thread.
 */
final class Departures {
    private final Predicate<TabletId> which;
    private final Dwindling dwindling;

    /** What each server had when it answered last, as far as it has not left since. */
    private final Map<Member, Set<TabletId>> there = new HashMap<>();

    private final Set<TabletId> gone = new HashSet<>();

    Departures(Predicate<TabletId> which, Dwindling dwindling) {
        this.which = which;
        this.dwindling = dwindling;
    }

    boolean concern(TabletId tablet) {
        return which.test(tablet);
    }

    /** A look. */
    void saw(Sight sight) {
        Set<TabletId> before = anywhere();
        there.keySet().retainAll(sight.living());
        sight.heard()
                .forEach((member, told) -> there.put(
                        member,
                        Stream.of(told.tablets().keySet(), told.leaving(), unnamed(member, told))
                                .flatMap(Collection::stream)
                                .filter(which)
                                .collect(Collectors.toCollection(HashSet::new))));
        before.removeAll(anywhere());
        if (gone.addAll(before)) {
            dwindling.someHasGone();
        }
    }

    /** Of what it had those that it may have given up, and had no room to name. */
    private Set<TabletId> unnamed(Member member, Poll.Holdings told) {
        if (!told.leaveUnnamed()) {
            return Set.of();
        }
        Set<TabletId> unnamed = new HashSet<>(there.getOrDefault(member, Set.of()));
        lastNamed(told).ifPresent(last -> unnamed.removeIf(tablet -> tablet.compareTo(last) <= 0));
        return unnamed;
    }

    private static Optional<TabletId> lastNamed(Poll.Holdings told) {
        return told.leaving().stream().max(Comparator.naturalOrder());
    }

    /** Whether these may be among those that it has given up, and had no room to name. METADATA's stand before all others. */
    boolean concernUnnamed(Poll.Holdings told) {
        return told.leaveUnnamed()
                && lastNamed(told)
                        .filter(last -> last.tableId() != TableSchema.METADATA_ID && !which.test(last))
                        .isEmpty();
    }

    private Set<TabletId> anywhere() {
        return there.values().stream().flatMap(Set::stream).collect(Collectors.toCollection(HashSet::new));
    }

    /** The server says that it has left. */
    void left(TabletId tablet, Member server) {
        there.getOrDefault(server, new HashSet<>()).remove(tablet);
        if (gone.add(tablet)) {
            dwindling.someHasGone();
        }
    }

    Deadline deadline() {
        return dwindling.deadline();
    }

    /** Whether none has left for too long, or it takes too long in all. */
    boolean isOver() {
        return dwindling.isOver();
    }
}
