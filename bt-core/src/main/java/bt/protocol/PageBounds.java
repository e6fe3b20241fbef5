package bt.protocol;

import static bt.base.Check.checkGiven;

import bt.base.HeapPiece;

/**
 * Where a page ends at the latest. A page ends with a row, unless one row alone is larger than {@code bytes}, or too much to
 * look at for one page.
 */
public record PageBounds(int rows, int cells, int bytes) {
    public static final PageBounds DEFAULT = new PageBounds(Integer.MAX_VALUE, 100_000, HeapPiece.BYTES);

    public PageBounds {
        checkGiven(
                rows > 0 && cells > 0 && bytes > 0,
                "a page of %d rows, %d cells, %d bytes",
                "ask for 1 of each at least",
                rows,
                cells,
                bytes);
    }
}
