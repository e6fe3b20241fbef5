package bt.client;

import static bt.base.Check.checkArgument;

/**
 * How much is read in all: rows; cells; bytes of row keys, qualifiers and values. A read ends with the row that reaches
 * one of them, so a row is whole or not there; a read of cells ends with the cell that does.
 */
public record ReadLimits(long rows, long cells, long bytes) {
    public static final ReadLimits NONE = new ReadLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    public ReadLimits {
        checkArgument(
                rows > 0 && cells > 0 && bytes > 0,
                "a read of %d rows, %d cells, %d bytes: each is 1 at least",
                rows,
                cells,
                bytes);
    }

    public ReadLimits rows(long most) {
        return new ReadLimits(most, cells, bytes);
    }

    public ReadLimits cells(long most) {
        return new ReadLimits(rows, most, bytes);
    }

    public ReadLimits bytes(long most) {
        return new ReadLimits(rows, cells, most);
    }
}
