package bt.tabletserver;

import bt.base.HostCounts;
import bt.tablet.OpenWrite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/**
 * Open writes that had to be forgotten: of each client and table the highest number. It goes to files with the open writes
 * of the table's tablets, so that no server applies a retry that this one would have answered UNKNOWN. After ten minutes nobody
 * asks; until then none goes for another: whose clients may make it more asks for room first. One thread.
 */
final class LostWrites {
    private final int most;

    /** About 150 bytes each. The first first. */
    private final LinkedHashMap<Origin, Latest> latest = new LinkedHashMap<>();

    private final HostCounts hosts = new HostCounts();

    /** For so many there is room; what tablets bring that come is taken beyond, up to twice that. */
    LostWrites(int most) {
        this.most = most;
    }

    /**
     * Whether a host may lose more: as many as there is room left, so that there is always some for another. What tablets brought has
     * room of its own.
     */
    boolean hasRoom(String host) {
        return hosts.of(host) < most - (latest.size() - hosts.of(Outcomes.ANY_HOST));
    }

    private record Origin(long client, long tableId) {}

    /** The higher number, and the later time: as long as one of both may be asked for. */
    private record Latest(long number, long micros, String host) {
        Latest and(Latest other) {
            return new Latest(Math.max(number, other.number), Math.max(micros, other.micros), host);
        }

        OpenWrite of(Origin origin) {
            return OpenWrite.lost(origin.client, number, micros);
        }
    }

    void add(long tableId, OpenWrite write, String host) {
        OpenWrite.Author author = write.author();
        int before = latest.size();
        latest.merge(
                new Origin(author.client(), tableId), new Latest(author.number(), write.micros(), host), Latest::and);
        if (latest.size() > before) {
            hosts.add(host, 1);
        }
        if (latest.size() > 2 * most) {
            Iterator<Latest> first = latest.values().iterator();
            hosts.add(first.next().host, -1);
            first.remove();
        }
    }

    /** A list of its own. */
    List<OpenWrite> of(long tableId, long nowMicros) {
        List<OpenWrite> found = new ArrayList<>();
        forEach((table, write) -> {
            if (table == tableId && write.isOpen(nowMicros)) {
                found.add(write);
            }
        });
        return found;
    }

    /** Those that have any. */
    Set<Long> tables(long nowMicros) {
        Set<Long> tables = new HashSet<>();
        forEach((table, write) -> {
            if (write.isOpen(nowMicros)) {
                tables.add(table);
            }
        });
        return tables;
    }

    void forEach(Consumer each) {
        latest.forEach((origin, number) -> each.accept(origin.tableId, number.of(origin)));
    }

    /** Of a table's id and the write. */
    @FunctionalInterface
    interface Consumer {
        void accept(long tableId, OpenWrite write);
    }

    void expire(long nowMicros) {
        Iterator<Latest> each = latest.values().iterator();
        while (each.hasNext()) {
            Latest write = each.next();
            if (nowMicros - write.micros >= OpenWrite.KEPT_MICROS) {
                hosts.add(write.host, -1);
                each.remove();
            }
        }
    }
}
