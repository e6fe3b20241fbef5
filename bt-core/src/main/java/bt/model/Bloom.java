package bt.model;

import static bt.base.Check.checkGiven;

/**
 * Which Bloom filters the SSTables of a locality group have: by row, by row and column as well, or none at 0 bits a key.
 * The second spare a look-up of a column that its row has not; they are for rows of many columns, of which few are asked.
 * Section 6 of the paper.
 */
public record Bloom(int bitsPerKey, boolean byColumn) {
    /** One look-up in a hundred of what is not there reads a block for nothing. */
    public static final int DEFAULT_BITS_PER_KEY = 10;

    /** No filter: for what is only scanned. */
    public static final Bloom NONE = new Bloom(0, false);

    /** By row, as in a new table. */
    public static final Bloom ROW = new Bloom(DEFAULT_BITS_PER_KEY, false);

    /** By row, and by row and column. */
    public static final Bloom ROW_AND_COLUMN = new Bloom(DEFAULT_BITS_PER_KEY, true);

    private static final int MAX_BITS_PER_KEY = 32;

    public Bloom {
        checkGiven(
                bitsPerKey >= 0 && bitsPerKey <= MAX_BITS_PER_KEY,
                "%d Bloom bits a key",
                "give 0 to %d",
                bitsPerKey,
                MAX_BITS_PER_KEY);
        checkGiven(
                bitsPerKey > 0 || !byColumn,
                "Bloom filters by column have at least 1 bit a key",
                "give them one, or leave the columns out");
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
