package bt.master;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.MetadataTable.ReadableRows;
import bt.metadata.TabletStates;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One comparison of METADATA, the living servers and the schemas. The root tablet comes first, then METADATA's other
 * tablets, then those of users, because each level can only be read once the one above serves. A tablet of METADATA that does
 * not serve keeps from their servers those alone of which it has the rows.
 */
final class Pass {
    private static final Logger log = LoggerFactory.getLogger(Pass.class);

    private final MetadataTable metadata;
    private final Catalogue catalogue;
    private final Assigner assigner;
    private final Merges merges;
    private final Merges metadataMerges;
    private final MetadataEnds metadataEnds;
    private final Retirement retirement;
    private final PassScope scope;
    private final Recoveries recoveries;
    private final TableWishes wishes;
    private final Hindrances hindrances;
    private final Graces graces;
    private final ServiceTime time;
    private final Detours detours;
    private final HalfSplits splits;
    private boolean sawAll;

    /** The tablets that are not as they should be yet. */
    private final Set<TabletId> open = new HashSet<>();

    /** Of these the ones for which no pass can do anything for now. */
    private final Set<TabletId> stuck = new HashSet<>();

    /** Parts of METADATA that could not be read though they are served. */
    private int unread;

    private int hindered;
    private List<UserRows.Unread> parts = List.of();
    private List<String> problems = List.of();
    private Optional<Map<Long, TableRecord>> active = Optional.empty();
    private boolean readAllTables;
    private Map<Long, Set<TabletId>> tablets = Map.of();

    /** As the last pass saw them. */
    private List<KnownTablet> metadataTablets = List.of();

    /** Of the tables. */
    private Map<Long, TablePhase> phases = Map.of();

    private boolean isToFollow;

    Pass(
            MetadataTable metadata,
            Catalogue catalogue,
            Assigner assigner,
            Merges merges,
            Merges metadataMerges,
            MetadataEnds metadataEnds,
            Retirement retirement,
            PassScope scope,
            Recoveries recoveries,
            TableWishes wishes,
            Hindrances hindrances,
            Graces graces,
            ServiceTime time,
            Detours detours) {
        this.metadata = metadata;
        this.catalogue = catalogue;
        this.assigner = assigner;
        this.merges = merges;
        this.metadataMerges = metadataMerges;
        this.metadataEnds = metadataEnds;
        this.retirement = retirement;
        this.scope = scope;
        this.recoveries = recoveries;
        this.wishes = wishes;
        this.hindrances = hindrances;
        this.graces = graces;
        this.time = time;
        this.detours = detours;
        this.splits = new HalfSplits(metadata, hindrances);
    }

    /**
     * Does what can be done now; the number of tablets that are not as they should be yet. While tablets wait for passes this one does
     * nothing that they need not wait for.
     */
    int run(Sight sight, boolean tabletsWait) throws BigtableException, InterruptedException {
        hindrances.begin();
        assigner.begin(sight);
        retirement.begin();
        sawAll = false;
        open.clear();
        stuck.clear();
        unread = 0;
        hindered = 0;
        isToFollow = false;
        settleAll(sight, tabletsWait);
        isToFollow |= assigner.missesSome();
        assigner.finish();
        long waiting = open.stream()
                .filter(id -> hindrances.concern(id) && !stuck.contains(id))
                .count();
        hindered = unread + (int) waiting;
        return open.size() + unread;
    }

    private void settleAll(Sight sight, boolean tabletsWait) throws BigtableException, InterruptedException {
        MetadataRow root = metadata.read(MetadataSchema.ROOT)
                .orElseThrow(() -> new IllegalStateException("bootstrap makes the root row"));
        recoveries.begin();
        recoveries.saw(root, sight);
        assigner.seek(List.of(root), sight);
        if (!assigner.settle(root, Assigner.NEVER_DROPPED, sight)) {
            open.add(root.id());
            return;
        }
        detours.look(root, sight);
        ReadableRows below =
                metadata.scanReadable(MetadataKeys.tables(TableSchema.METADATA_ID, TableSchema.METADATA_ID));
        List<MetadataRow> tablets = new ArrayList<>(List.of(root));
        tablets.addAll(below.rows());
        if (below.damage().isEmpty()
                && tablets.stream().noneMatch(row -> row.id().equals(MetadataSchema.LAST))) {
            // The first start: everything after the root tablet's rows is METADATA's second and last tablet.
            metadata.create(MetadataSchema.LAST, TabletStates.empty(MetadataSchema.ROOT.endRow()), "created");
            open.add(MetadataSchema.LAST);
            return;
        }
        hindrances.saw(tablets);
        metadataTablets = tablets.stream().map(KnownTablet::of).toList();
        Set<TabletId> served = serveMetadata(tablets, mergeMetadata(below, sight), sight);
        if (below.damage().isEmpty() && metadataMerges.othersShouldWait()) {
            // Whoever looks up rows there waits until the next pass; this one would wait for them too.
            below.rows().stream()
                    .filter(metadataMerges::concerns)
                    .map(MetadataRow::id)
                    .forEach(open::add);
            return;
        }
        scope.image().doubtTables(catalogue.touched());
        RowSet wanted = scope.begin(sight, tabletsWait, this::isBalanced);
        UserRows seen = UserRows.read(wanted, new ReadableRows(tablets, below.damage()), served, sight, metadata);
        scope.read(seen, sight);
        parts = seen.unread();
        problems = seen.problems(this::name);
        sawAll = seen.isWhole();
        // Each that is not served is one that is not read.
        unread = seen.unread().size() - open.size();
        Map<Long, TablePhase> before = phases;
        users(seen, sight);
        scope.passed(seen, open, sight);
        metadataEnds.look(seen::hasRead);
        open.addAll(scope.waiting());
        stuck.addAll(scope.stuck());
        Set<Long> others = changed(before, seen);
        scope.image().doubtTables(others);
        isToFollow = !others.isEmpty();
    }

    /** The tables that were dropped or made since the pass before, and of which this one has not read all rows. */
    private Set<Long> changed(Map<Long, TablePhase> before, UserRows seen) {
        Set<Long> changed = new TreeSet<>(before.keySet());
        changed.addAll(phases.keySet());
        changed.removeIf(
                id -> Objects.equals(before.get(id), phases.get(id)) || seen.hasRead(MetadataKeys.tables(id, id)));
        return changed;
    }

    /** Those that must be given to nobody, of all but the root tablet: that is merged with none. */
    private Set<TabletId> mergeMetadata(ReadableRows below, Sight sight)
            throws BigtableException, InterruptedException {
        if (!below.damage().isEmpty()) {
            return Merges.halfDone(below.rows());
        }
        List<KnownTablet> known = below.rows().stream().map(KnownTablet::of).toList();
        metadataEnds.seek(known, metadataMerges);
        metadataMerges.seek(known, sight, 1);
        return metadataMerges.run(below.rows(), sight);
    }

    /** The tablets of METADATA that are served. */
    private Set<TabletId> serveMetadata(List<MetadataRow> tablets, Set<TabletId> held, Sight sight)
            throws BigtableException, InterruptedException {
        Set<TabletId> served = new HashSet<>();
        assigner.seek(tablets.stream().filter(row -> !held.contains(row.id())).toList(), sight);
        for (MetadataRow row : tablets) {
            recoveries.saw(row, sight);
            if (held.contains(row.id()) || !splits.complete(row, lower -> true)) {
                open.add(row.id());
            } else if (assigner.settle(row, Assigner.NEVER_DROPPED, sight)) {
                detours.look(row, sight);
                served.add(row.id());
            } else {
                leave(row, sight);
            }
        }
        return served;
    }

    /** An active tablet that is not served. */
    private void leave(MetadataRow row, Sight sight) {
        open.add(row.id());
        if (assigner.isStuck(row, sight)) {
            stuck.add(row.id());
        }
    }

    /** Whether the last pass could read all of METADATA: what asks for all tablets must wait for one that could. */
    boolean sawAll() {
        return sawAll;
    }

    /** Whether the last pass found the tablet not as it should be; of one that could read all of METADATA. */
    boolean isUnsettled(TabletId tablet) {
        return open.contains(tablet);
    }

    /** Of the number that {@link #run} gave: the tablets for which no pass can do anything for now. */
    int stuck() {
        return stuck.size();
    }

    /** Of the rest of that number what waits until METADATA can be read or changed again, and for nothing that passes do. */
    int hindered() {
        return hindered;
    }

    /** Whether METADATA took what the last pass wanted to change, of all rows that are whole. */
    boolean changedAll() {
        return !hindrances.isRefused();
    }

    /** The tables of users by id, as the last pass that came to them saw them; dropped ones are not among them. */
    Optional<Map<Long, TableRecord>> tables() {
        return active;
    }

    /** Whether no table's file was damaged then: else there are tables that {@link #tables} may not tell. */
    boolean readAllTables() {
        return readAllTables;
    }

    /** Whether tablets are to be looked at of which this pass did not know when it read, or knew what may be over already. */
    boolean isToFollow() {
        return isToFollow;
    }

    /** What METADATA says of a tablet that may be moved as others are, as far as passes have read it. */
    Optional<KnownTablet> balanced(TabletId id) {
        if (id.tableId() == TableSchema.METADATA_ID) {
            return metadataTablets.stream()
                    .filter(tablet -> tablet.id().equals(id))
                    .findFirst();
        }
        return isBalanced(id.tableId()) ? scope.image().find(id) : Optional.empty();
    }

    private boolean isBalanced(long tableId) {
        return active.filter(tables -> tables.containsKey(tableId)).isPresent()
                && catalogue.damage(tableId).isEmpty();
    }

    /** The tablets of the tables with quotas and of those on which somebody has begun work, as the last pass that saw all of METADATA did. */
    Map<Long, Set<TabletId>> tablets() {
        return tablets;
    }

    /**
     * Of the tablets and rows of METADATA and the files of tables that cannot be read or changed, what the last pass that came to
     * them saw. What they tell of is left alone.
     */
    List<String> problems() {
        return Stream.of(
                        parts.stream().map(part -> part.problem(this::name)),
                        problems.stream(),
                        hindrances.problems().stream())
                .flatMap(lines -> lines)
                .toList();
    }

    /** Of a table, as far as the last pass that came to the tables has seen it. */
    String name(long tableId) {
        if (tableId == TableSchema.METADATA_ID) {
            return MetadataSchema.SCHEMA.name();
        }
        return active.map(tables -> tables.get(tableId))
                .map(TableRecord::getName)
                .orElseGet(() -> "number " + tableId);
    }

    /**
     * The rows were read before the tables: a table whose rows we see without its file is being given up, unless we ourselves are
     * creating it.
     */
    private void users(UserRows seen, Sight sight) throws BigtableException, InterruptedException {
        Catalogue.Found found = catalogue.readable();
        Map<Long, TableRecord> tables = found.tables();
        expire(tables);
        active = Optional.of(active(found));
        // Else the tablets of a dropped one, which nobody serves, would be merged all the sooner.
        merges.keep(active.get().keySet());
        phases = phases(found);
        readAllTables = found.problems().isEmpty();
        problems = Stream.concat(seen.problems(this::name).stream(), found.problems().stream())
                .toList();
        Set<TabletId> held;
        if (seen.isWhole()) {
            tablets = followedTablets(active.get());
            held = merges.run(
                    seen.rows().stream()
                            .filter(row -> !found.isDamaged(row.id().tableId()))
                            .toList(),
                    sight,
                    metadataEnds::mustWait);
        } else {
            held = Merges.halfDone(seen.rows());
        }
        assigner.seek(seen.rows(), sight);
        retirement.keepOnlyOf(id -> phases.get(id) != TablePhase.ACTIVE);
        for (MetadataRow row : seen.rows()) {
            if (catalogue.isComing(row.id().tableId())) {
                continue;
            }
            if (held.contains(row.id())) {
                open.add(row.id());
                if (!seen.isWhole()) {
                    // Half of a merge: its other row may be among those that cannot be read.
                    hindrances.unread(row.id());
                }
                continue;
            }
            if (found.isDamaged(row.id().tableId())) {
                leaveAlone(row, sight);
                continue;
            }
            TableRecord table = tables.get(row.id().tableId());
            TablePhase phase = table == null ? TablePhase.GONE : table.getPhase();
            long returnedVersion = table == null ? Assigner.NEVER_DROPPED : table.getReturnedVersion();
            if (phase == TablePhase.ACTIVE) {
                recoveries.saw(row, sight);
            }
            if (!splits.complete(row, seen::covers)) {
                open.add(row.id());
            } else if (!settle(row, phase, returnedVersion, sight)) {
                if (phase == TablePhase.ACTIVE) {
                    leave(row, sight);
                } else {
                    open.add(row.id());
                }
            }
        }
        if (seen.isWhole()) {
            recoveries.end(seen.damage());
        }
        // Tablets that are to be served come first.
        assigner.finish();
        open.removeAll(retirement.finish());
    }

    /** Of those whose files cannot be read now what was last known. */
    private Map<Long, TablePhase> phases(Catalogue.Found found) {
        Map<Long, TablePhase> now = new HashMap<>();
        found.tables().forEach((id, table) -> now.put(id, table.getPhase()));
        phases.forEach((id, phase) -> {
            if (found.isDamaged(id)) {
                now.put(id, phase);
            }
        });
        return now;
    }

    /** The tables that are active, and of those that cannot be read now what was last known of them. */
    private Map<Long, TableRecord> active(Catalogue.Found found) {
        Map<Long, TableRecord> tables = new HashMap<>();
        found.tables().values().stream()
                .filter(table -> table.getPhase() == TablePhase.ACTIVE)
                .forEach(table -> tables.put(table.getId(), table));
        active.ifPresent(before -> before.forEach((id, table) -> {
            if (found.isDamaged(id)) {
                tables.put(id, table);
            }
        }));
        return tables;
    }

    /** A tablet of a table of which nobody knows whether it is dropped, and which no server could load. */
    private void leaveAlone(MetadataRow row, Sight sight) {
        recoveries.saw(row, sight);
        if (!assigner.isServed(row, sight)) {
            open.add(row.id());
            stuck.add(row.id());
        }
    }

    private Map<Long, Set<TabletId>> followedTablets(Map<Long, TableRecord> tables) {
        return tables.values().stream()
                .filter(table -> Usage.hasQuotas(table) || wishes.concern(table.getId()))
                .map(TableRecord::getId)
                .filter(id -> !scope.image().tablets(id).isEmpty())
                .collect(Collectors.toMap(id -> id, scope.image()::tablets));
    }

    private boolean settle(MetadataRow row, TablePhase phase, long returnedVersion, Sight sight)
            throws FencedException, InterruptedException {
        return switch (phase) {
            case ACTIVE -> assigner.settle(row, returnedVersion, sight);
            case DROPPED -> retirement.retire(row, sight);
            case GONE -> {
                retirement.remove(row, sight);
                yield false;
            }
        };
    }

    /**
     * The tables whose time to come back is over are gone: in the lock service first, so that of us and a master who brings
     * one back only one is right.
     */
    private void expire(Map<Long, TableRecord> tables) throws BigtableException {
        List<TableRecord> dropped = tables.values().stream()
                .filter(table -> table.getPhase() == TablePhase.DROPPED)
                .toList();
        if (dropped.isEmpty()) {
            return;
        }
        long latest = time.micros() - graces.undeleteMillis() * 1_000;
        for (TableRecord table : dropped) {
            if (table.getDroppedMicros() <= latest) {
                TableRecord gone = catalogue.change(table.getId(), now -> {
                    if (!now.equals(table)) {
                        throw new RejectedException("table " + table.getName() + " has changed since", "look again");
                    }
                    return TableRecord.newBuilder(now).setPhase(TablePhase.GONE).build();
                });
                log.info("table {} (id {}) is gone", gone.getName(), gone.getId());
                tables.put(gone.getId(), gone);
            }
        }
    }
}
