package bt.client;

import static bt.base.Check.checkGiven;

import bt.model.Cell;
import bt.model.Row;

/**
 * How much a read has taken, in the units of its {@link ReadLimits}; sums end at the largest number. The paper has no
 * such limits.
 */
public record ReadAmount(long rows, long cells, long bytes) {
    /** Nothing yet. */
    public static final ReadAmount NONE = new ReadAmount(0, 0, 0);

    public ReadAmount {
        checkGiven(
                rows >= 0 && cells >= 0 && bytes >= 0,
                "%d rows, %d cells, %d bytes",
                "give 0 or more of each",
                rows,
                cells,
                bytes);
    }

    /** With a whole row more. */
    public ReadAmount plus(Row row) {
        long more = 0;
        for (Cell cell : row.cells()) {
            more += cell.bytes();
        }
        return plus(new ReadAmount(1, row.cells().size(), more));
    }

    /** Both together. */
    public ReadAmount plus(ReadAmount more) {
        return new ReadAmount(sum(rows, more.rows), sum(cells, more.cells), sum(bytes, more.bytes));
    }

    /** Of two counts: where a read goes on, a stranger may say what it has taken. */
    static long sum(long some, long more) {
        return Math.min(some, Long.MAX_VALUE - more) + more;
    }
}
