package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Deadline;
import bt.base.HeapPiece;
import bt.base.RejectedException;
import bt.client.Scan;
import bt.client.Table;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowSet;
import bt.thrift.convert.Rows;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the rows of a list of keys, each whole and all in one answer. Any thread. */
final class NamedRows {
    /** As long as the library tries what fails. */
    private static final long MILLIS = 60_000;

    private static final int ROWS_OF_A_REQUEST = 1_000;

    private final AnswerRoom room;
    private final Clock clock;

    NamedRows(AnswerRoom room, Clock clock) {
        this.room = room;
        this.clock = clock;
    }

    /** What the filter lets pass of each, in the order of the keys; REJECTED when no answer holds that. */
    List<bt.thrift.gen.Row> read(Table table, List<Bytes> keys, Filter filter) throws BigtableException {
        Map<Bytes, Row> found = found(table, keys, filter);
        List<Row> rows = keys.stream()
                .map(key -> found.getOrDefault(key, new Row(key, List.of())))
                .toList();
        // A key may be named more than once.
        check(keys, rows.stream().mapToLong(Rows::bytes).sum());
        return rows.stream().map(Rows::of).toList();
    }

    private Map<Bytes, Row> found(Table table, List<Bytes> keys, Filter filter) throws BigtableException {
        Deadline patience = Deadline.after(clock, MILLIS);
        Map<Bytes, Row> found = new HashMap<>();
        if (keys.isEmpty()) {
            return found;
        }
        WholeRows rows = new WholeRows(table, Scan.of(RowSet.rows(keys)).filtered(filter));
        long bytes = 0;
        while (true) {
            for (Row row : rows.next(ROWS_OF_A_REQUEST, HeapPiece.BYTES)) {
                found.put(row.key(), row);
                bytes += Rows.bytes(row);
            }
            if (rows.isFinished()) {
                return found;
            }
            check(keys, bytes + rows.openBytes());
            if (patience.isOver()) {
                throw new RejectedException(
                        asked(keys) + " were not looked through within " + MILLIS / 1_000 + " s",
                        "ask for fewer at a time, or scan them");
            }
        }
    }

    private void check(List<Bytes> keys, long needed) throws RejectedException {
        if (needed > room.bytes()) {
            throw new RejectedException(
                    asked(keys) + " take at least " + needed + " bytes of an answer, " + room.bytes() + " fit",
                    "ask for fewer rows at a time, for fewer families, columns or versions of them, or scan them");
        }
    }

    private static String asked(List<Bytes> keys) {
        return keys.size() + " rows from " + keys.get(0).brief();
    }
}
