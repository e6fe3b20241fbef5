package bt.model;

import static bt.base.Check.checkGiven;

/** Families that are stored together, apart from the others (section 6 of the paper). */
public record LocalityGroup(String name, int blockBytes, String codec, boolean inMemory, Bloom bloom) {
    /** The name of the group that every table has, and that families are in which name none. */
    public static final String DEFAULT_NAME = "default";

    /** As that group is where nothing else is said: blocks of 64 KiB, LZ4, on disk, Bloom filters by row. */
    public static final LocalityGroup DEFAULT = new LocalityGroup(DEFAULT_NAME, 64 << 10, "lz4", false, Bloom.ROW);

    public LocalityGroup {
        Names.check("locality group", name);
        checkGiven(
                blockBytes >= 1 << 10 && blockBytes <= 4 << 20,
                "blocks of %d bytes",
                "give 1 KiB to 4 MiB",
                blockBytes);
    }
}
