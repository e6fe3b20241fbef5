package bt.thrift.gateway;

import bt.model.Cell;
import bt.model.Row;
import bt.thrift.convert.Rows;
import java.util.ArrayList;
import java.util.List;

/** Cells in order, put together into parts of rows: all that follow each other in one row. One thread. */
final class RowParts {
    private final List<Row> parts = new ArrayList<>();
    private long bytes;

    static RowParts of(List<Cell> cells) {
        RowParts parts = new RowParts();
        parts.add(cells);
        return parts;
    }

    /** The cells begin a part, or go on with the last one. */
    void add(List<Cell> cells) {
        int begin = 0;
        for (int i = 1; i <= cells.size(); i++) {
            if (i == cells.size() || !cells.get(i).row().equals(cells.get(begin).row())) {
                add(new Row(cells.get(begin).row(), cells.subList(begin, i)));
                begin = i;
            }
        }
    }

    int size() {
        return parts.size();
    }

    /** At least as many as they take in an answer. */
    long bytes() {
        return bytes;
    }

    List<bt.thrift.gen.Row> encoded() {
        return parts.stream().map(Rows::of).toList();
    }

    private void add(Row part) {
        bytes += Rows.bytes(part);
        int last = parts.size() - 1;
        if (last >= 0 && parts.get(last).key().equals(part.key())) {
            List<Cell> longer = new ArrayList<>(parts.get(last).cells());
            longer.addAll(part.cells());
            parts.set(last, new Row(part.key(), longer));
        } else {
            parts.add(part);
        }
    }
}
