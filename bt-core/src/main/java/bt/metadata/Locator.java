package bt.metadata;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.MistakeException;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.metadata.MetadataTable.DamagedRow;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer.Page;
import bt.protocol.Calls;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.RowAssembler;
import bt.record.Phase;
import bt.record.TabletLocation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The three-level location hierarchy (section 5.1, figure 4 of the paper) with its cache: a file of the lock service says
 * where the root tablet is, the root tablet where METADATA's tablets are, those where everybody else's are. With an empty
 * cache that takes three round trips. A stale entry shows only when its server refuses, then {@link #forget} it and locate
 * again: that climbs as far as the upper levels are stale too, six round trips at most. Where a tablet of METADATA ends with no row of a tablet
 * that there is, which the master sees to that none does for long, it may be one more: the next is asked too. Any thread.
 *
 * <p>It never waits between attempts: a tablet that nobody serves is UNAVAILABLE, and when to look again is the caller's
 * decision ({@link bt.base.Retry}).
 */
public final class Locator {
    /** Rows of METADATA read at a time: the one wanted and the neighbours that will probably be asked for next. */
    private static final int PREFETCH = 16;

    private static final int CACHED_PLACES = 100_000;
    /**
     * Of rows that are not marked gone, or those that a merge of many tablets leaves for a day would fill the page, and one
     * more would have to be read.
     */
    private static final Filter LOCATION = new Filter.Condition(
            MetadataRowCodec.GONE_ROWS, new Filter.None(), new Filter.Families(List.of(MetadataSchema.LOCATION)));

    private static final PageBounds BOUNDS = new PageBounds(PREFETCH, 100_000, 1 << 20);

    private static final RowRange ROOT_RANGE = MetadataSchema.ROOT.range(Optional.empty());

    private final Calls calls;
    private final LockService locks;
    private final PlaceCache cache;
    private final LongAdder roundTrips = new LongAdder();

    public Locator(Calls calls, LockService locks) {
        this(calls, locks, CACHED_PLACES);
    }

    Locator(Calls calls, LockService locks, int cachedPlaces) {
        this.calls = calls;
        this.locks = locks;
        this.cache = new PlaceCache(cachedPlaces);
    }

    /**
     * Where the row is served; UNAVAILABLE while it is not, or CORRUPTION where its tablet could not be loaded for damage, and nothing
     * applied. The row may be empty: the first.
     */
    public TabletPlace locate(long tableId, Bytes row, Deadline deadline)
            throws BigtableException, InterruptedException {
        Whereabouts found = look(tableId, row, deadline);
        return found.place().orElseThrow(() -> found.unserved(tableId, row));
    }

    /** The same, for those who want to know of a tablet that nobody serves too. UNAVAILABLE when METADATA cannot be read. */
    public Whereabouts look(long tableId, Bytes row, Deadline deadline) throws BigtableException, InterruptedException {
        Optional<TabletPlace> known = cached(tableId, row);
        return known.isPresent() ? Whereabouts.at(known.get()) : find(tableId, row, deadline);
    }

    /** Where the row was served when last seen, without asking anybody. */
    public Optional<TabletPlace> cached(long tableId, Bytes row) {
        return cache.find(tableId, row);
    }

    /** The place proved to be wrong. */
    public void forget(TabletPlace place) {
        cache.remove(place);
    }

    /** How often the lock service or a server was asked since the start. */
    public long roundTrips() {
        return roundTrips.sum();
    }

    private Whereabouts find(long tableId, Bytes row, Deadline deadline)
            throws BigtableException, InterruptedException {
        if (tableId == TableSchema.METADATA_ID && ROOT_RANGE.contains(row)) {
            return Whereabouts.at(findRoot());
        }
        RowRange rest = RowRange.of(
                MetadataKeys.lookUp(tableId, row),
                MetadataKeys.lastTabletOf(tableId).successor());
        while (true) {
            Optional<TabletPlace> known = cached(TableSchema.METADATA_ID, rest.start());
            TabletPlace above = locate(TableSchema.METADATA_ID, rest.start(), deadline);
            Page page;
            try {
                page = page(above, rest, deadline);
            } catch (UnavailableException stale) {
                forget(above);
                if (known.isEmpty() || deadline.isOver()) {
                    throw new UnavailableException(
                                    "METADATA, which tells where row " + row.brief() + " is: " + stale.getMessage(),
                                    Outcome.NOT_APPLIED)
                            .causedBy(stale);
                }
                continue;
            }
            List<Row> living = new RowAssembler()
                    .rows(page).stream().filter(Locator::isLiving).toList();
            if (!living.isEmpty()) {
                return choose(row, living);
            }
            if (page.next().isEmpty()) {
                return Whereabouts.NOWHERE;
            }
            rest = new RowRange(page.next().get(), rest.end());
        }
    }

    private Page page(TabletPlace above, RowRange range, Deadline deadline)
            throws BigtableException, InterruptedException {
        roundTrips.increment();
        Request.Scan scan = new Request.Scan(TableSchema.METADATA_ID, range, LOCATION, BOUNDS, Optional.empty());
        return calls.scan(above.address(), scan, deadline);
    }

    /**
     * The first tablet is the row's, if the chain of end rows holds; all that are served are worth keeping. A row of METADATA that
     * cannot be understood is told to those alone who look for its tablet.
     */
    private Whereabouts choose(Bytes row, List<Row> living) throws CorruptionException {
        Row own = living.get(0);
        TabletId first = MetadataKeys.decode(own.key());
        try {
            RowRange range = first.range(MetadataRowCodec.previousEndRow(own));
            if (!range.contains(row)) {
                return Whereabouts.NOWHERE;
            }
            Optional<TabletPlace> served = served(own);
            cache.put(Stream.concat(served.stream(), neighbours(living)).toList());
            return served.isPresent() ? Whereabouts.at(served.get()) : unserved(own, first, range);
        } catch (CorruptionException damaged) {
            return Whereabouts.untold(first, row, new DamagedRow(own.key(), damaged));
        }
    }

    private static Whereabouts unserved(Row own, TabletId id, RowRange range) throws CorruptionException {
        TabletLocation location = MetadataRowCodec.location(own);
        return new Whereabouts(
                Optional.of(id),
                range,
                Optional.empty(),
                location.getPhase() == Phase.UNASSIGNED,
                id.inWords() + " is " + location.getPhase() + " " + location.getServer(),
                MetadataRowCodec.damage(own),
                Optional.empty());
    }

    /** Those behind the first that are served, as far as their rows can be understood. */
    private static Stream<TabletPlace> neighbours(List<Row> living) {
        return living.stream().skip(1).flatMap(row -> {
            try {
                return served(row).stream();
            } catch (CorruptionException damaged) {
                return Stream.empty();
            }
        });
    }

    private static Optional<TabletPlace> served(Row row) throws CorruptionException {
        TabletLocation at = MetadataRowCodec.location(row);
        if (at.getPhase() != Phase.SERVING) {
            return Optional.empty();
        }
        TabletId id = MetadataKeys.decode(row.key());
        return Optional.of(place(id, id.range(MetadataRowCodec.previousEndRow(row)), at));
    }

    private TabletPlace findRoot() throws BigtableException {
        roundTrips.increment();
        TabletLocation location = RootRows.read(locks)
                .orElseThrow(() -> new UnavailableException(
                        "the lock service has no file root: no master has ever run here", Outcome.NOT_APPLIED))
                .location();
        if (location.getPhase() != Phase.SERVING) {
            throw new UnavailableException(
                    "the root tablet is " + location.getPhase() + " " + location.getServer(), Outcome.NOT_APPLIED);
        }
        TabletPlace root = place(MetadataSchema.ROOT, ROOT_RANGE, location);
        cache.put(List.of(root));
        return root;
    }

    /** What cannot be understood may be there. */
    private static boolean isLiving(Row row) {
        try {
            return !MetadataRowCodec.isGone(row);
        } catch (CorruptionException damaged) {
            return true;
        }
    }

    private static TabletPlace place(TabletId id, RowRange range, TabletLocation location) throws CorruptionException {
        if (range.isEmpty()) {
            throw new CorruptionException("METADATA row " + id + ": its previous end row is not before its end row");
        }
        try {
            return new TabletPlace(id, range, Address.parse(location.getAddress()), location.getServer());
        } catch (IllegalArgumentException malformed) {
            throw new CorruptionException("METADATA row " + id + ": its location: " + MistakeException.fact(malformed));
        }
    }
}
