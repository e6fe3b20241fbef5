package bt.tabletserver;

import bt.tablet.OpenWrite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/**
 * Open writes that had to be forgotten: of each client and table the highest number. It goes to files with the open writes
 * of the table's tablets, so that no server applies a retry that this one would have answered UNKNOWN. Bounded, the first
 * lost are the first to go; after ten minutes nobody asks. One thread.
 */
final class LostWrites {
    private final int most;

    /** About 100 bytes each. The first first. */
    private final LinkedHashMap<Origin, Latest> latest = new LinkedHashMap<>();

    LostWrites(int most) {
        this.most = most;
    }

    private record Origin(long client, long tableId) {}

    /** The higher number, and the later time: as long as one of both may be asked for. */
    private record Latest(long number, long micros) {
        Latest and(Latest other) {
            return new Latest(Math.max(number, other.number), Math.max(micros, other.micros));
        }

        OpenWrite of(Origin origin) {
            return OpenWrite.lost(origin.client, number, micros);
        }
    }

    void add(long tableId, OpenWrite write) {
        OpenWrite.Author author = write.author();
        latest.merge(new Origin(author.client(), tableId), new Latest(author.number(), write.micros()), Latest::and);
        if (latest.size() > most) {
            Iterator<Origin> first = latest.keySet().iterator();
            first.next();
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
        latest.entrySet().removeIf(entry -> !entry.getValue().of(entry.getKey()).isOpen(nowMicros));
    }
}
