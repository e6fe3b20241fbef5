package bt.master;

import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a master knows of users' tablets: from the rows that its passes have read, and from what the servers have told since.
 * So a pass reads the rows of those for which something may have to be done, and not all of METADATA; a new master knows nothing,
 * and its first pass reads all. The image may be wrong and decides nothing: a row is read before anything is done about its tablet,
 * and changed on the condition that it is still so. What it has missed an {@link ImageCheck} finds. Owned by the master's thread.
 */
final class TabletImage {
    /** The keys of users' tablets. */
    static final RowRange KEYS = MetadataKeys.tables(TableSchema.METADATA_ID + 1, Long.MAX_VALUE);

    /** By their keys in METADATA. */
    private final NavigableMap<Bytes, KnownTablet> known = new TreeMap<>();

    /** By their epochs the servers that load or serve some of these. */
    private final Map<Long, Holder> holders = new TreeMap<>();

    private final Set<TabletId> unfinished = new HashSet<>();

    /** Those of which a server says something else, or that the last pass left unsettled. Some may not be known. */
    private final Set<TabletId> doubtful = new TreeSet<>();

    private final Set<Long> doubtfulTables = new TreeSet<>();

    /** Keys that a pass wanted and could not read, and those of rows that it could not understand. */
    private RowSet owed = RowSet.of(KEYS);

    private boolean isWhole;

    /** Of the names of all that are known. */
    private long nameBytes;

    /** Whether every row has been read once. */
    boolean isWhole() {
        return isWhole;
    }

    Optional<KnownTablet> find(TabletId id) {
        return Optional.ofNullable(known.get(MetadataKeys.of(id)));
    }

    /** All, in the order of their keys. */
    Collection<KnownTablet> tablets() {
        return known.values();
    }

    /** Of the names of all. */
    long nameBytes() {
        return nameBytes;
    }

    /** The names of a table's. */
    Set<TabletId> tablets(long tableId) {
        Set<TabletId> names = new HashSet<>();
        within(table(tableId)).values().forEach(tablet -> names.add(tablet.id()));
        return names;
    }

    private static RowRange table(long id) {
        return MetadataKeys.tables(id, id);
    }

    private NavigableMap<Bytes, KnownTablet> within(RowRange keys) {
        return keys.end()
                .map(end -> known.subMap(keys.start(), true, end, false))
                .orElseGet(() -> known.tailMap(keys.start(), true));
    }

    /** What the servers say. Of what has changed, whatever does not fit is read by the next pass. */
    void heard(Sight sight) {
        sight.answered().forEach((member, holdings) -> {
            for (TabletId id : holdings.changed()) {
                doubtUnlessFits(id, member, holdings);
            }
            if (holdings.isAnew()) {
                tabletsOf(member.epoch()).forEach(id -> doubtUnlessFits(id, member, holdings));
            }
        });
    }

    /** Whether a server has it is what it says, and what is known; more than that its row tells. */
    private void doubtUnlessFits(TabletId id, Member member, Poll.Holdings holdings) {
        TabletReport report = holdings.tablets().get(id);
        boolean saysSo = report != null && report.getFailure() == null;
        boolean isKnown = find(id).filter(tablet -> tablet.isHeld() && tablet.epoch() == member.epoch())
                .isPresent();
        // Before the first row is read all of them are owed.
        if (saysSo != isKnown && id.tableId() != TableSchema.METADATA_ID && !known.isEmpty()) {
            doubtful.add(id);
        }
    }

    /** The next pass is to read its row, and what lies before that. */
    void doubt(TabletId id) {
        doubtful.add(id);
    }

    /**
     * The tablet whose rows are looked up from keys on both sides of this one: its own lies behind it. None where a tablet has this key, or
     * no row is looked up so.
     */
    Optional<TabletId> across(Bytes key) {
        return Optional.ofNullable(known.ceilingEntry(key))
                .filter(next -> !next.getKey().equals(key))
                .map(Map.Entry::getValue)
                .filter(next ->
                        MetadataKeys.lookUp(next.id().tableId(), next.range().start())
                                        .compareTo(key)
                                <= 0)
                .map(KnownTablet::id);
    }

    /** Something was done about these tables: which tablets they have may be another matter by now. */
    void doubtTables(Collection<Long> ids) {
        doubtfulTables.addAll(ids);
    }

    /** The epochs of servers that do not live and have tablets. */
    Set<Long> dead(Sight sight) {
        Set<Long> dead = new TreeSet<>(holders.keySet());
        dead.removeIf(epoch -> sight.holder(epoch).isPresent());
        return dead;
    }

    /** What the server of this epoch has. */
    List<KnownTablet> heldBy(long epoch) {
        return tabletsOf(epoch).stream().flatMap(id -> find(id).stream()).toList();
    }

    private Set<TabletId> tabletsOf(long epoch) {
        Holder holder = holders.get(epoch);
        return holder == null ? Set.of() : holder.tablets();
    }

    /** The name of one that has tablets. */
    String server(long epoch) {
        return Objects.requireNonNull(holders.get(epoch)).server();
    }

    private record Holder(String server, Set<TabletId> tablets) {}

    /** The keys of rows that a pass has to read whoever lives: in any order, some of them twice. */
    List<RowRange> wanted() {
        List<RowRange> keys = new ArrayList<>(owed.ranges());
        doubtfulTables.forEach(id -> keys.add(table(id)));
        doubtful.forEach(id -> keys.add(keysAround(id)));
        unfinished.forEach(id -> keys.add(keysAround(id)));
        return keys;
    }

    /**
     * From behind the tablet before up to the tablet itself, or to the next one where it is not known: there are the rows, too, of
     * those that have been split off from it since.
     */
    RowRange keysAround(TabletId id) {
        RowRange table = table(id.tableId());
        Bytes key = MetadataKeys.of(id);
        Optional<Bytes> before = Optional.ofNullable(known.lowerKey(key)).filter(table::contains);
        Optional<Bytes> at = Optional.ofNullable(known.ceilingKey(key)).filter(table::contains);
        return new RowRange(
                before.map(Bytes::successor).orElse(table.start()),
                at.map(Bytes::successor).or(table::end));
    }

    /** The keys of the tablets that hold these rows. */
    RowRange keysOf(long tableId, RowRange rows) {
        RowRange table = table(tableId);
        Optional<Bytes> last = rows.end()
                .map(end -> known.ceilingKey(MetadataKeys.lookUp(tableId, end)))
                .filter(table::contains);
        return new RowRange(
                MetadataKeys.lookUp(tableId, rows.start()),
                last.map(Bytes::successor).or(table::end));
    }

    /** From here on so many of those that are known, and what may lie between them; up to the end where there are no more. */
    RowRange keysFrom(Bytes start, int tablets) {
        return known.tailMap(start, true).keySet().stream()
                .skip(tablets - 1)
                .findFirst()
                .map(last -> RowRange.of(start, last.successor()))
                .orElse(new RowRange(start, KEYS.end()));
    }

    /** What a pass has read, before it does anything. */
    void read(UserRows seen) {
        Set<TabletId> there = new HashSet<>();
        seen.rows().forEach(row -> there.add(row.id()));
        for (RowRange keys : seen.read().ranges()) {
            List<KnownTablet> gone = within(keys).values().stream()
                    .filter(tablet -> !there.contains(tablet.id()))
                    .toList();
            gone.forEach(this::remove);
        }
        seen.rows().forEach(this::put);
    }

    private void put(MetadataRow row) {
        find(row.id()).ifPresent(this::remove);
        KnownTablet tablet = KnownTablet.of(row);
        known.put(MetadataKeys.of(row.id()), tablet);
        nameBytes += bytes(tablet.id());
        if (tablet.isHeld()) {
            holders.computeIfAbsent(
                            tablet.epoch(), first -> new Holder(row.location().getServer(), new HashSet<>()))
                    .tablets()
                    .add(tablet.id());
        }
        if (tablet.isUnfinished()) {
            unfinished.add(tablet.id());
        }
    }

    private static int bytes(TabletId id) {
        return id.endRow().map(Bytes::length).orElse(0);
    }

    private void remove(KnownTablet tablet) {
        known.remove(MetadataKeys.of(tablet.id()));
        nameBytes -= bytes(tablet.id());
        holders.computeIfPresent(tablet.epoch(), (epoch, holder) -> {
            holder.tablets().remove(tablet.id());
            return holder.tablets().isEmpty() ? null : holder;
        });
        unfinished.remove(tablet.id());
    }

    /** A pass has done what it could about all that it has read, but for these, to which the next one comes again. */
    void passed(UserRows seen, Set<TabletId> unsettled, Sight sight) {
        List<RowRange> left = new ArrayList<>(seen.notRead().ranges());
        seen.damage().forEach(damaged -> left.add(RowRange.row(damaged.key())));
        owed = new RowSet(left);
        isWhole |= seen.isWhole();
        doubtfulTables.clear();
        Set<TabletId> before = Set.copyOf(doubtful);
        doubtful.clear();
        unsettled.stream().filter(id -> id.tableId() != TableSchema.METADATA_ID).forEach(doubtful::add);
        for (MetadataRow row : seen.rows()) {
            sight.holder(row.location()).ifPresent(holder -> {
                Poll.Holdings holdings = sight.answered().get(holder);
                if (holdings != null) {
                    doubtUnlessFits(row.id(), holder, holdings);
                } else if (before.contains(row.id())) {
                    // It is silent: what it said before that is not said again when it answers.
                    doubtful.add(row.id());
                }
            });
        }
    }
}
