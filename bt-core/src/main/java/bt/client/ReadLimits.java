package bt.client;

import static bt.base.Check.checkGiven;

/**
 * How much is read in all: rows; cells; bytes of row keys, qualifiers and values. A read ends with the row that reaches
 * one of them, so a row is whole or not there; a read of cells ends with the cell that does. The paper has no such
 * limits.
 */
public record ReadLimits(long rows, long cells, long bytes) {
    /** Everything is read. */
    public static final ReadLimits NONE = new ReadLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    public ReadLimits {
        checkGiven(
                rows > 0 && cells > 0 && bytes > 0,
                "a read of %d rows, %d cells, %d bytes",
                "ask for 1 of each at least",
                rows,
                cells,
                bytes);
    }

    /** Whether one of them is. */
    public boolean areReachedBy(ReadAmount amount) {
        return amount.rows() >= rows || amount.cells() >= cells || amount.bytes() >= bytes;
    }

    /** What may still be read behind what was, which reaches none of them. */
    public ReadLimits behind(ReadAmount amount) {
        return new ReadLimits(left(rows, amount.rows()), left(cells, amount.cells()), left(bytes, amount.bytes()));
    }

    private static long left(long most, long taken) {
        return most == Long.MAX_VALUE ? most : most - taken;
    }

    /** With another bound for rows, 1 at least; Long.MAX_VALUE is none. */
    public ReadLimits rows(long most) {
        return new ReadLimits(most, cells, bytes);
    }

    /** With another bound for cells, 1 at least; Long.MAX_VALUE is none. */
    public ReadLimits cells(long most) {
        return new ReadLimits(rows, most, bytes);
    }

    /** With another bound for bytes, 1 at least; Long.MAX_VALUE is none. */
    public ReadLimits bytes(long most) {
        return new ReadLimits(rows, cells, most);
    }
}
