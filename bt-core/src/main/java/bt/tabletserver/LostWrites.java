package bt.tabletserver;

import bt.tablet.OpenWrite;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Open writes that had to be forgotten: of each client and table the one with the highest number. It goes to files with
 * the open writes of the table's tablets, so that no server applies a retry that this one would have answered UNKNOWN.
 * Bounded, the first lost are the first to go; after ten minutes nobody asks. One thread.
 */
final class LostWrites {
    private final int most;

    /** The first first. */
    private final LinkedHashMap<Origin, OpenWrite> latest = new LinkedHashMap<>();

    LostWrites(int most) {
        this.most = most;
    }

    private record Origin(long client, long tableId) {}

    void add(long tableId, OpenWrite write) {
        latest.merge(new Origin(write.author().client(), tableId), write, LostWrites::later);
        if (latest.size() > most) {
            Iterator<Origin> first = latest.keySet().iterator();
            first.next();
            first.remove();
        }
    }

    /** The higher number, and the later time: as long as one of both may be asked for. */
    private static OpenWrite later(OpenWrite a, OpenWrite b) {
        OpenWrite higher = a.author().number() >= b.author().number() ? a : b;
        return new OpenWrite(
                higher.row(), higher.sequence(), higher.author(), higher.result(), Math.max(a.micros(), b.micros()));
    }

    /** A list of its own. */
    List<OpenWrite> of(long tableId, long nowMicros) {
        List<OpenWrite> found = new ArrayList<>();
        latest.forEach((origin, write) -> {
            if (origin.tableId == tableId && write.isOpen(nowMicros)) {
                found.add(write);
            }
        });
        return found;
    }

    boolean has(long tableId, long nowMicros) {
        for (Map.Entry<Origin, OpenWrite> lost : latest.entrySet()) {
            if (lost.getKey().tableId == tableId && lost.getValue().isOpen(nowMicros)) {
                return true;
            }
        }
        return false;
    }

    void forEach(Consumer each) {
        latest.forEach((origin, write) -> each.accept(origin.tableId, write));
    }

    /** Of a table's id and the write. */
    @FunctionalInterface
    interface Consumer {
        void accept(long tableId, OpenWrite write);
    }

    void expire(long nowMicros) {
        latest.values().removeIf(write -> !write.isOpen(nowMicros));
    }
}
