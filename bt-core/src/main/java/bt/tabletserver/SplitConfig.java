package bt.tabletserver;

import static bt.base.Check.checkArgument;

/** From how many bytes of files on a tablet is split, one of METADATA's from how many. */
public record SplitConfig(long bytes, long metadataBytes) {
    public static final SplitConfig DEFAULT = new SplitConfig(200L << 20, 128L << 20);

    public SplitConfig {
        checkArgument(bytes > 0 && metadataBytes > 0, "splits at %d bytes, of METADATA's at %d", bytes, metadataBytes);
    }
}
