package bt.client;

import bt.model.Cell;
import bt.protocol.PageBounds;

/** What a read may still take, of its {@link ReadLimits}. One thread. */
final class Allowance {
    /** A row may come whole though it is beyond the limits, and not in a thousand pages. */
    private static final long LEAST_CELLS = 1_000;

    private static final long LEAST_BYTES = 64 << 10;

    private final ReadLimits limits;
    private long rows;
    private long cells;
    private long bytes;

    Allowance(ReadLimits limits) {
        this(limits, ReadAmount.NONE);
    }

    /** Of a read that goes on, and has taken so much. */
    Allowance(ReadLimits limits, ReadAmount taken) {
        this.limits = limits;
        rows = taken.rows();
        cells = taken.cells();
        bytes = taken.bytes();
    }

    ReadAmount taken() {
        return new ReadAmount(rows, cells, bytes);
    }

    /** Whether any limit will end the read: then nothing is asked for before it is wanted. */
    boolean isLimited() {
        return !limits.equals(ReadLimits.NONE);
    }

    void takeCell(Cell cell) {
        cells = ReadAmount.sum(cells, 1);
        bytes = ReadAmount.sum(bytes, cell.bytes());
    }

    void endRow() {
        rows = ReadAmount.sum(rows, 1);
    }

    /** Whether one of them is reached. */
    boolean isSpent() {
        // Every cell asks: no value is made for it.
        return rows >= limits.rows() || cells >= limits.cells() || bytes >= limits.bytes();
    }

    /** No page much larger than what is left. */
    PageBounds bounds(PageBounds page) {
        return new PageBounds(
                least(page.rows(), limits.rows() - rows),
                least(page.cells(), Math.max(LEAST_CELLS, limits.cells() - cells)),
                least(page.bytes(), Math.max(LEAST_BYTES, limits.bytes() - bytes)));
    }

    private static int least(int most, long left) {
        return (int) Math.max(1, Math.min(most, left));
    }
}
