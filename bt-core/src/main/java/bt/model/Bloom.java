package bt.model;

import static bt.base.Check.checkArgument;

/**
 * Which Bloom filters the SSTables of a locality group have: by row, by row and column as well, or none at 0 bits a key.
 * The second spare a look-up of a column that its row has not; they are for rows of many columns, of which few are asked.
 */
public record Bloom(int bitsPerKey, boolean byColumn) {
    public static final int DEFAULT_BITS_PER_KEY = 10;
    public static final Bloom NONE = new Bloom(0, false);
    public static final Bloom ROW = new Bloom(DEFAULT_BITS_PER_KEY, false);
    public static final Bloom ROW_AND_COLUMN = new Bloom(DEFAULT_BITS_PER_KEY, true);

    private static final int MAX_BITS_PER_KEY = 32;

    public Bloom {
        checkArgument(
                bitsPerKey >= 0 && bitsPerKey <= MAX_BITS_PER_KEY,
                "%d Bloom bits a key, not 0 to %d",
                bitsPerKey,
                MAX_BITS_PER_KEY);
        checkArgument(bitsPerKey > 0 || !byColumn, "Bloom filters by column have at least 1 bit a key");
    }

    /** {@code none}, {@code row}, {@code row:12}, {@code row+column}, {@code row+column:12}. */
    @Override
    public String toString() {
        if (bitsPerKey == 0) {
            return "none";
        }
        return (byColumn ? "row+column" : "row") + (bitsPerKey == DEFAULT_BITS_PER_KEY ? "" : ":" + bitsPerKey);
    }
}
