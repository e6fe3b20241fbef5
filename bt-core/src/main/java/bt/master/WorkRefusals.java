package bt.master;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Splits, merges and moves that can never be done, and why, kept for a minute, for whoever waits for them: the file tells no more of them. Of
 * another master's nobody is told. Owned by the master's thread.
 */
final class WorkRefusals {
    private static final long KEPT_NANOS = 60_000_000_000L;
    private static final int MOST_OF_TABLE = 100;

    private final Clock clock;
    private final Map<Long, OfTable> tables = new TreeMap<>();

    WorkRefusals(Clock clock) {
        this.clock = clock;
    }

    private record OfTable(String name, List<Refused> refused) {}

    private record Refused(WorkRefusal refusal, long sinceNanos) {}

    /** Of a row, of merges the first; of splits the empty one: in the middle. */
    void add(long tableId, String table, Bytes row, Throwable why) {
        forget(tableId, row);
        List<Refused> refused = tables.computeIfAbsent(tableId, id -> new OfTable(table, new ArrayList<>()))
                .refused();
        if (refused.size() == MOST_OF_TABLE) {
            refused.remove(0);
        }
        WorkRefusal refusal = new WorkRefusal(
                AvroBytes.buffer(row), why instanceof CorruptionException, String.valueOf(why.getMessage()));
        refused.add(new Refused(refusal, clock.nanos()));
    }

    /** Of a row, or without one, empty, of middles: it is asked for anew, or refused for another reason. */
    void forget(long tableId, Bytes row) {
        OfTable table = tables.get(tableId);
        if (table != null) {
            table.refused()
                    .removeIf(each -> AvroBytes.bytes(each.refusal().getRow()).equals(row));
        }
    }

    void forget(long tableId) {
        tables.remove(tableId);
    }

    /** A line for each table of which there are any and none of the work is under way any more; the list is the caller's. */
    List<WorkLine> ended(TableWork work, Set<Long> underWay) {
        long oldest = clock.nanos() - KEPT_NANOS;
        tables.values().forEach(table -> table.refused().removeIf(each -> each.sinceNanos() - oldest < 0));
        tables.values().removeIf(table -> table.refused().isEmpty());
        List<WorkLine> lines = new ArrayList<>();
        tables.forEach((id, table) -> {
            if (!underWay.contains(id)) {
                lines.add(new WorkLine(table.name(), work, 0, null, of(id)));
            }
        });
        return lines;
    }

    List<WorkRefusal> of(long tableId) {
        OfTable table = tables.get(tableId);
        return table == null
                ? List.of()
                : table.refused().stream().map(Refused::refusal).toList();
    }
}
