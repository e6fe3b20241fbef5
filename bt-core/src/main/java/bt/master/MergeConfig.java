package bt.master;

import static bt.base.Check.checkArgument;

/**
 * Neighbouring tablets that for so long have been together smaller than so many bytes are merged. Far below what makes a
 * tablet split.
 */
public record MergeConfig(long bytes, long afterMillis) {
    public static final MergeConfig DEFAULT = new MergeConfig(40L << 20, 600_000);

    public MergeConfig {
        checkArgument(bytes >= 0 && afterMillis >= 0, "merges below %d bytes after %d ms", bytes, afterMillis);
    }
}
