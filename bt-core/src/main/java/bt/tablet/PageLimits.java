package bt.tablet;

import static bt.base.Check.checkArgument;

/**
 * Where a page ends at the latest: at the end of the row that reaches one of these, or inside a row that alone has so many
 * bytes. A tablet ends it earlier where it has looked at too much ({@link TabletConfig}).
 */
public record PageLimits(int rows, int cells, int bytes) {
    public static final PageLimits DEFAULT = new PageLimits(Integer.MAX_VALUE, 100_000, 1 << 20);

    public PageLimits {
        checkArgument(rows > 0 && cells > 0 && bytes > 0, "a page of %d rows, %d cells, %d bytes", rows, cells, bytes);
    }
}
