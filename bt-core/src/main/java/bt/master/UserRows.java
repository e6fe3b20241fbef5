package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.MetadataTable.ReadableRows;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * METADATA's rows of users' tables, as far as METADATA's tablets can be read. What cannot be read is nobody's to decide on;
 * the rest need not wait for it, but nothing that asks for all rows may be concluded from them.
 *
 * @param rows those that are not marked gone, in order of their keys
 * @param damage of each row that cannot be understood, what is wrong with it
 * @param unread of each part of METADATA that was not read, which it is and why
 * @param read the keys of the parts that were
 */
record UserRows(List<MetadataRow> rows, List<String> damage, List<String> unread, List<RowRange> read) {
    private static final RowRange KEYS = MetadataKeys.tables(TableSchema.METADATA_ID + 1, Long.MAX_VALUE);

    UserRows {
        rows = List.copyOf(rows);
        damage = List.copyOf(damage);
        unread = List.copyOf(unread);
        read = List.copyOf(read);
    }

    /**
     * Asks for the rows in those of METADATA's tablets that are served; nobody who was silent when this look began. The tablets are
     * METADATA's, the root tablet too.
     */
    static UserRows read(ReadableRows tablets, Set<TabletId> served, Sight sight, MetadataTable metadata)
            throws BigtableException, InterruptedException {
        Reading reading = new Reading(sight, metadata);
        tablets.damage()
                .forEach(damage -> reading.unread.add(
                        "a tablet of METADATA is left as it is: " + damage.why().getMessage()));
        Optional<Bytes> end = Optional.empty();
        for (MetadataRow tablet : tablets.rows()) {
            if (!tablet.previousEndRow().equals(end)) {
                reading.unread.add(tablet.id() + " of METADATA does not begin where the tablet before ends");
            }
            end = tablet.id().endRow();
            RowRange keys = tablet.range().intersect(KEYS);
            if (!served.contains(tablet.id())) {
                reading.leave(tablet, "is not served, or half split");
            } else if (!keys.isEmpty()) {
                reading.read(tablet, keys);
            }
        }
        return new UserRows(reading.rows, reading.damage, reading.unread, reading.read);
    }

    /** Whether these are all rows there are. */
    boolean isWhole() {
        return unread.isEmpty();
    }

    /** Whether the tablet's row would be among them. */
    boolean covers(TabletId tablet) {
        Bytes key = MetadataKeys.of(tablet);
        return read.stream().anyMatch(keys -> keys.contains(key));
    }

    /** For operators. */
    List<String> problems() {
        List<String> problems = new ArrayList<>(unread);
        problems.addAll(damage);
        return problems;
    }

    private static final class Reading {
        private final Sight sight;
        private final MetadataTable metadata;
        private final List<MetadataRow> rows = new ArrayList<>();
        private final List<String> damage = new ArrayList<>();
        private final List<String> unread = new ArrayList<>();
        private final List<RowRange> read = new ArrayList<>();

        /** One that was waited for in vain is enough: it may have many tablets of METADATA. */
        private final Set<Member> failing = new HashSet<>();

        private Reading(Sight sight, MetadataTable metadata) {
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
                ReadableRows found = metadata.scanReadable(keys);
                rows.addAll(found.rows());
                found.damage().forEach(damaged -> damage.add(damaged.why().getMessage()));
                read.add(keys);
            } catch (UnavailableException | OverloadedException notNow) {
                failing.add(holder.get());
                leave(tablet, "cannot be read: " + notNow.getMessage());
            } catch (CorruptionException damaged) {
                // A block of a file, which is not its server's fault: that may have others that can be read.
                leave(tablet, "cannot be read: " + damaged.getMessage());
            }
        }

        private void leave(MetadataRow tablet, String why) {
            unread.add(tablet.id() + " of METADATA " + why + "; the tablets that it tells of are left as they are");
        }
    }
}
