package bt.tabletserver;

import bt.base.Bytes;
import bt.model.TabletId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tablets that take writes through one commit thread, which owns this. No two of them have a row in common. */
final class AdoptedTablets {
    private final TreeMap<TabletId, HostedTablet> tablets = new TreeMap<>();

    /** Of the row that was looked for last, while it is one of these: rows that are written together mostly lie together. */
    private Optional<HostedTablet> last = Optional.empty();

    void add(HostedTablet tablet) {
        tablets.put(tablet.id(), tablet);
        last = Optional.empty();
    }

    void remove(HostedTablet tablet) {
        tablets.remove(tablet.id(), tablet);
        last = Optional.empty();
    }

    Collection<HostedTablet> all() {
        return tablets.values();
    }

    /** The tablet that holds the row. */
    Optional<HostedTablet> find(long tableId, Bytes row) {
        if (last.isEmpty() || !last.get().holds(tableId, row)) {
            last = Optional.ofNullable(tablets.ceilingEntry(new TabletId(tableId, Optional.of(row))))
                    .map(Map.Entry::getValue)
                    .filter(tablet -> tablet.holds(tableId, row));
        }
        return last;
    }
}
