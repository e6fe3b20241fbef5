package bt.doctor;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.doctor.Expansion.Living;
import bt.doctor.Seam.Edge;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.SeenPage;
import bt.metadata.SeenRow;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads METADATA in the order of its keys, the root tablet's row first, a page at a time. One thread. */
final class Walk {
    private static final RowRange ALL = MetadataKeys.tables(TableSchema.METADATA_ID, Long.MAX_VALUE);

    private final MetadataTable metadata;

    Walk(MetadataTable metadata) {
        this.metadata = metadata;
    }

    /** Sees the rows of METADATA. */
    interface Visitor {
        /** A page has been read whose tablets follow. */
        default void page() {}

        void tablet(Living tablet) throws BigtableException, InterruptedException;

        default void damaged(DamagedRow row, Optional<TabletId> id) {}
    }

    void all(Visitor visitor) throws BigtableException, InterruptedException {
        root(visitor);
        range(ALL, visitor);
    }

    /** The tablets of one table, in the order of their rows. */
    void table(long tableId, Visitor visitor) throws BigtableException, InterruptedException {
        range(MetadataKeys.tables(tableId, tableId), visitor);
    }

    /** The tablets between two, both included; none stands for METADATA's beginning or end. */
    List<Edge> edges(Optional<TabletId> from, Optional<TabletId> to) throws BigtableException, InterruptedException {
        List<Edge> edges = new ArrayList<>();
        Visitor collector = new Visitor() {
            @Override
            public void tablet(Living tablet) {
                edges.add(Edge.of(tablet.row()));
            }

            @Override
            public void damaged(DamagedRow row, Optional<TabletId> id) {
                id.ifPresent(known -> edges.add(new Edge(known, false, Optional.empty())));
            }
        };
        if (from.isEmpty() || from.get().equals(MetadataSchema.ROOT)) {
            root(collector);
        }
        Bytes start = from.filter(id -> !id.equals(MetadataSchema.ROOT))
                .map(MetadataKeys::of)
                .orElse(ALL.start());
        range(new RowRange(start, to.map(id -> MetadataKeys.of(id).successor()).or(ALL::end)), collector);
        return edges;
    }

    /** A tablet as it is now; empty when it is gone. */
    Optional<Living> find(TabletId id) throws BigtableException, InterruptedException {
        List<Living> found = new ArrayList<>();
        if (id.equals(MetadataSchema.ROOT)) {
            root(found::add);
        } else {
            range(RowRange.row(MetadataKeys.of(id)), found::add);
        }
        Optional<Living> own = only(id, found);
        return own.isPresent() ? own : halfOf(id);
    }

    /** The tablet in the row of that from which it is being split off, the next one. */
    private Optional<Living> halfOf(TabletId id) throws BigtableException, InterruptedException {
        Optional<Bytes> next = Optional.of(MetadataKeys.of(id));
        while (next.isPresent()) {
            SeenPage page = metadata.look(new RowRange(next.get(), ALL.end()));
            if (!page.rows().isEmpty()) {
                List<Living> found = new ArrayList<>();
                show(new SeenPage(page.rows().subList(0, 1), Optional.empty()), Optional.empty(), found::add);
                return only(id, found);
            }
            next = page.next();
        }
        return Optional.empty();
    }

    private static Optional<Living> only(TabletId id, List<Living> tablets) {
        return tablets.stream().filter(tablet -> tablet.row().id().equals(id)).findFirst();
    }

    /** A damaged row as it is now; empty when it is whole, or gone. */
    Optional<DamagedRow> damaged(Bytes key) throws BigtableException, InterruptedException {
        List<DamagedRow> found = new ArrayList<>();
        Visitor collector = new Visitor() {
            @Override
            public void tablet(Living tablet) {}

            @Override
            public void damaged(DamagedRow row, Optional<TabletId> id) {
                found.add(row);
            }
        };
        if (key.equals(MetadataKeys.of(MetadataSchema.ROOT))) {
            root(collector);
        } else {
            range(RowRange.row(key), collector);
        }
        return found.stream().findFirst();
    }

    private void root(Visitor visitor) throws BigtableException, InterruptedException {
        Optional<SeenRow> root = metadata.lookAtRoot();
        if (root.isEmpty()) {
            Bytes key = MetadataKeys.of(MetadataSchema.ROOT);
            visitor.damaged(new DamagedRow(key, "the lock service has no file root"), Optional.of(MetadataSchema.ROOT));
        } else {
            show(new SeenPage(List.of(root.get()), Optional.empty()), Optional.empty(), visitor);
        }
    }

    private void range(RowRange keys, Visitor visitor) throws BigtableException, InterruptedException {
        Optional<Bytes> next = Optional.of(keys.start());
        Optional<TabletId> before = Optional.empty();
        while (next.isPresent()) {
            SeenPage page = metadata.look(new RowRange(next.get(), keys.end()));
            before = show(page, before, visitor);
            next = page.next();
        }
    }

    /** The last tablet seen, if there is one. */
    private static Optional<TabletId> show(SeenPage page, Optional<TabletId> last, Visitor visitor)
            throws BigtableException, InterruptedException {
        visitor.page();
        Optional<TabletId> before = last;
        for (SeenRow seen : page.rows()) {
            Optional<TabletId> id = id(seen.key());
            if (seen.row().isEmpty()) {
                visitor.damaged(new DamagedRow(seen.key(), seen.damage()), id);
            }
            try {
                for (Living tablet : Expansion.of(seen, before)) {
                    visitor.tablet(tablet);
                }
            } catch (CorruptionException intent) {
                visitor.damaged(new DamagedRow(seen.key(), intent.getMessage()), id);
            }
            before = id.or(() -> last);
        }
        return before;
    }

    private static Optional<TabletId> id(Bytes key) {
        try {
            return Optional.of(MetadataKeys.decode(key));
        } catch (BigtableException none) {
            return Optional.empty();
        }
    }
}
