package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.MetadataTable.DamagedRow;
import bt.metadata.MetadataTable.ReadableRows;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TabletId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Those of METADATA's rows of users' tables that a pass wants, as far as METADATA's tablets can be read. What cannot be read is
 * nobody's to decide on; the rest need not wait for it, but nothing that asks for all rows may be concluded from them.
 *
 * @param rows those that are not marked gone, in order of their keys
 * @param damage the rows that cannot be understood
 * @param unread the parts of METADATA that cannot be read
 * @param readable the keys of the parts that can
 * @param read of the keys that were wanted, those in such parts
 * @param notRead the others
 */
record UserRows(
        List<MetadataRow> rows,
        List<DamagedRow> damage,
        List<Unread> unread,
        RowSet readable,
        RowSet read,
        RowSet notRead) {
    UserRows {
        rows = List.copyOf(rows);
        damage = List.copyOf(damage);
        unread = List.copyOf(unread);
    }

    /** A tablet of METADATA in the words of whoever knows tables, which a function names by their ids; and why it is not read. */
    record Unread(Function<LongFunction<String>, String> part, String why) {
        static Unread of(MetadataRow tablet, String why) {
            return new Unread(names -> MetadataPart.between(tablet.previousEndRow(), tablet.id(), names), why);
        }

        /** Of one whose own row cannot be understood. */
        static Unread of(DamagedRow damaged) {
            Function<LongFunction<String>, String> part = names -> damaged.tablet()
                    .map(tablet -> MetadataPart.upTo(tablet, names))
                    .orElse("a part of METADATA");
            return new Unread(part, "is left as it is: " + damaged.why().getMessage());
        }

        /** For operators. */
        String problem(LongFunction<String> names) {
            return part.apply(names) + " " + why;
        }
    }

    /**
     * Asks for the rows in those of METADATA's tablets that are served; nobody who was silent when this look began. The tablets are
     * METADATA's, the root tablet too.
     */
    static UserRows read(RowSet wanted, ReadableRows tablets, Set<TabletId> served, Sight sight, MetadataTable metadata)
            throws BigtableException, InterruptedException {
        Reading reading = new Reading(wanted, sight, metadata);
        tablets.damage().forEach(damaged -> reading.unread.add(Unread.of(damaged)));
        Optional<Bytes> end = Optional.empty();
        for (MetadataRow tablet : tablets.rows()) {
            if (!tablet.previousEndRow().equals(end)) {
                reading.unread.add(Unread.of(tablet, "does not begin where the tablet before ends"));
            }
            end = tablet.id().endRow();
            RowRange keys = tablet.range().intersect(TabletImage.KEYS);
            if (!served.contains(tablet.id())) {
                reading.leave(tablet, "is not served, or half split");
            } else if (!keys.isEmpty()) {
                reading.read(tablet, keys);
            }
        }
        RowSet readable = new RowSet(reading.readable);
        return new UserRows(
                reading.rows,
                reading.damage,
                reading.unread,
                readable,
                both(wanted, readable),
                both(wanted, gaps(readable)));
    }

    private static RowSet both(RowSet some, RowSet others) {
        return new RowSet(others.ranges().stream()
                .flatMap(range -> some.intersect(range).ranges().stream())
                .toList());
    }

    /** What of all keys is not among these. */
    private static RowSet gaps(RowSet keys) {
        List<RowRange> gaps = new ArrayList<>();
        Bytes start = TabletImage.KEYS.start();
        for (RowRange range : keys.ranges()) {
            gaps.add(RowRange.of(start, range.start()));
            if (range.end().isEmpty()) {
                return new RowSet(gaps);
            }
            start = range.end().get();
        }
        gaps.add(new RowRange(start, TabletImage.KEYS.end()));
        return new RowSet(gaps);
    }

    /** Whether METADATA can be read, all of it. */
    boolean isWhole() {
        return unread.isEmpty();
    }

    /** Whether all rows with these keys were wanted, and read. */
    boolean hasRead(RowRange keys) {
        return read.intersect(keys).equals(RowSet.of(keys));
    }

    /** Whether the tablet's row can be read. */
    boolean covers(TabletId tablet) {
        return readable.contains(MetadataKeys.of(tablet));
    }

    /** Of the rows that cannot be understood, for operators: of which rows of which table each is, before its own key. */
    List<String> problems(LongFunction<String> names) {
        if (damage.isEmpty()) {
            return List.of();
        }
        NavigableSet<TabletId> tablets = new TreeSet<>();
        rows.forEach(row -> tablets.add(row.id()));
        damage.forEach(damaged -> damaged.tablet().ifPresent(tablets::add));
        return damage.stream()
                .map(damaged -> damaged.tablet()
                                .map(id -> "table " + names.apply(id.tableId()) + ", " + rowsOf(id, tablets) + ": ")
                                .orElse("")
                        + damaged.why().getMessage())
                .toList();
    }

    /** It begins where the one before ends, if all between the two was read. */
    private String rowsOf(TabletId tablet, NavigableSet<TabletId> tablets) {
        Optional<TabletId> before =
                Optional.ofNullable(tablets.lower(tablet)).filter(lower -> lower.tableId() == tablet.tableId());
        Bytes from = before.map(MetadataKeys::of)
                .orElseGet(() ->
                        MetadataKeys.tables(tablet.tableId(), tablet.tableId()).start());
        return hasRead(RowRange.of(from, MetadataKeys.of(tablet)))
                ? tablet.rows(before.flatMap(TabletId::endRow))
                : tablet.rows();
    }

    private static final class Reading {
        private final RowSet wanted;
        private final Sight sight;
        private final MetadataTable metadata;
        private final List<MetadataRow> rows = new ArrayList<>();
        private final List<DamagedRow> damage = new ArrayList<>();
        private final List<Unread> unread = new ArrayList<>();
        private final List<RowRange> readable = new ArrayList<>();

        /** One that was waited for in vain is enough: it may have many tablets of METADATA. */
        private final Set<Member> failing = new HashSet<>();

        private Reading(RowSet wanted, Sight sight, MetadataTable metadata) {
            this.wanted = wanted;
            this.sight = sight;
            this.metadata = metadata;
        }

        private void read(MetadataRow tablet, RowRange keys) throws BigtableException, InterruptedException {
            Optional<Member> holder = sight.holder(tablet.location());
            if (holder.isEmpty()
                    || failing.contains(holder.get())
                    || !sight.answered().containsKey(holder.get())) {
                leave(tablet, "is at " + tablet.location().getServer() + ", which does not answer");
                return;
            }
            try {
                ReadableRows found = metadata.scanReadable(wanted.intersect(keys));
                rows.addAll(found.rows());
                damage.addAll(found.damage());
                readable.add(keys);
            } catch (UnavailableException | OverloadedException notNow) {
                failing.add(holder.get());
                leave(tablet, "cannot be read: " + notNow.fact());
            } catch (CorruptionException damaged) {
                // A block of a file, which is not its server's fault: that may have others that can be read.
                leave(tablet, "cannot be read: " + damaged.fact());
            }
        }

        private void leave(MetadataRow tablet, String why) {
            unread.add(Unread.of(tablet, why + "; the tablets that it tells of are left as they are"));
        }
    }
}
