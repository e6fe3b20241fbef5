package bt.examples.paper;

import java.util.OptionalDouble;

/**
 * What all tablet servers did with users' tables, for whomever, in the time of a measurement.
 *
 * @param flushes minor compactions, all of which some part fell into it
 * @param merges merging and major compactions, likewise
 * @param logBytes that were put into the commit logs
 * @param logBatches by which that was done: each was flushed or synced once
 * @param logWrites that were in them
 * @param blocks the block caches: what was looked for meanwhile
 * @param scans the scan caches, likewise
 * @param local the copies on local disks: what was looked for meanwhile
 */
public record Window(
        long flushes,
        long merges,
        long logBytes,
        long logBatches,
        long logWrites,
        CacheUse blocks,
        CacheUse scans,
        CacheUse local) {
    /** Writes of a batch, on the average; empty where there was no batch. */
    public OptionalDouble rowsPerBatch() {
        return logBatches == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) logWrites / logBatches);
    }

    /** Which part of the blocks that were in no memory came from a copy on a local disk; empty where none was asked for. */
    public OptionalDouble localHitPart() {
        return local.hitPart();
    }
}
