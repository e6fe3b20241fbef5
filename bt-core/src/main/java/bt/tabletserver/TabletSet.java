package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Phase;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The tablets of this server. Only the control worker changes it; any thread reads the last published snapshot. */
final class TabletSet {
    private volatile NavigableMap<TabletId, Holding> published = Collections.emptyNavigableMap();

    /**
     * The tablet that holds the row, if it is served here. What could not be loaded stays in the set until it is asked for
     * again, and may have been merged into its neighbour elsewhere meanwhile: it hides nothing that is behind it.
     */
    Optional<HostedTablet> find(long tableId, Bytes row) {
        TabletId from = new TabletId(tableId, Optional.of(row));
        for (Map.Entry<TabletId, Holding> entry = published.ceilingEntry(from);
                entry != null && entry.getKey().tableId() == tableId;
                entry = published.higherEntry(entry.getKey())) {
            Optional<HostedTablet> hosted = entry.getValue().tablet();
            if (hosted.isPresent()) {
                return hosted.filter(served -> served.tablet().range().contains(row));
            }
        }
        return Optional.empty();
    }

    /**
     * The same of one of several rows that are written at once, of which the one before was found in this tablet: mostly they
     * lie together.
     */
    Optional<HostedTablet> find(long tableId, Bytes row, Optional<HostedTablet> before) {
        return before.isPresent() && before.get().holds(tableId, row) ? before : find(tableId, row);
    }

    Optional<Holding> get(TabletId id) {
        return Optional.ofNullable(published.get(id));
    }

    Collection<Holding> all() {
        return published.values();
    }

    /** Of a table, as one of its tablets here has it; empty where none is served here. */
    Optional<TableSchema> schema(long tableId) {
        return of(tableId)
                .flatMap(holding -> holding.tablet().stream())
                .map(hosted -> hosted.tablet().schema())
                .findFirst();
    }

    /** Those of a table, in their order; however many there are of others, it takes no longer. */
    Stream<Holding> of(long tableId) {
        Iterator<Holding> from = published
                .tailMap(new TabletId(tableId, Optional.of(Bytes.EMPTY)), true)
                .values()
                .iterator();
        // A stream of the collection itself asks for its size, and to tell that all that is behind is counted.
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(from, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .takeWhile(holding -> holding.id().tableId() == tableId);
    }

    void put(Holding holding) {
        put(List.of(holding));
    }

    /** All at one moment. */
    void put(List<Holding> holdings) {
        NavigableMap<TabletId, Holding> next = new TreeMap<>(published);
        holdings.forEach(holding -> next.put(holding.id(), holding));
        published = Collections.unmodifiableNavigableMap(next);
    }

    void remove(TabletId id) {
        NavigableMap<TabletId, Holding> next = new TreeMap<>(published);
        next.remove(id);
        published = Collections.unmodifiableNavigableMap(next);
    }

    /** Why a load failed, and whether the next one may well succeed. */
    record Failure(String why, boolean passes) {
        /** Who is to come back later than that is told of nothing that is about to pass. */
        private static final long SOON_MILLIS = 10_000;

        static Failure of(BigtableException failed) {
            boolean passes =
                    switch (failed.kind()) {
                        case UNAVAILABLE -> true;
                        case OVERLOADED -> ((OverloadedException) failed).retryAfterMillis() <= SOON_MILLIS;
                        case CORRUPTION, REJECTED, FENCED -> false;
                    };
            return new Failure(failed.getMessage(), passes);
        }
    }

    /** A tablet that is being loaded, could not be loaded, or is served. */
    record Holding(
            TabletId id, Optional<HostedTablet> tablet, Optional<Failure> failure, Optional<LoadWatch.Course> course) {
        static Holding loading(TabletId id, LoadWatch.Course course) {
            return new Holding(id, Optional.empty(), Optional.empty(), Optional.of(course));
        }

        static Holding failed(TabletId id, Failure failure) {
            return new Holding(id, Optional.empty(), Optional.of(failure), Optional.empty());
        }

        static Holding serving(HostedTablet tablet) {
            return new Holding(tablet.id(), Optional.of(tablet), Optional.empty(), Optional.empty());
        }

        /** Why another server should have it: its load has failed, or stands still, and may yet end. */
        Optional<Failure> trouble() {
            return failure.or(() -> course.flatMap(LoadWatch.Course::standstill));
        }

        Phase phase() {
            return tablet.isPresent() ? Phase.SERVING : Phase.LOADING;
        }

        /** Neither served nor failed. */
        boolean isLoading() {
            return tablet.isEmpty() && failure.isEmpty();
        }
    }
}
