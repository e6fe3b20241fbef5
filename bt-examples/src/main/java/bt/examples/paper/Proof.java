package bt.examples.paper;

import bt.record.ServerStatus;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Whether the rows of a workload were where its name says that they are, by what tablet servers say of their caches.
 *
 * @param after what they said behind it
 * @param window what they did meanwhile
 * @param fileBytes of the table
 */
record Proof(Workload workload, ServerLook after, Window window, long fileBytes) {
    /** Of what is looked for, so much may be elsewhere. */
    private static final double MOST_ELSEWHERE = 0.01;

    /** The copies on local disks are made one at a time, and none while the same block is read twice. */
    private static final double LEAST_OF_COPIES = 0.9;

    /** Which part of the table the copies on local disks could hold; empty where nobody asks them. */
    OptionalDouble partInLocalCache() {
        if (!workload.isOfLocalCache()) {
            return OptionalDouble.empty();
        }
        long bytes = after.cache(ServerLook.LOCAL).bytes();
        return OptionalDouble.of(bytes >= fileBytes ? 1 : (double) bytes / fileBytes);
    }

    /** After so many operations. */
    void check(long operations) throws NotMeasured {
        if (workload.isInMemory()) {
            checkMemory(operations);
        } else if (workload.isOfBlockCache()) {
            checkBlockCache();
        } else if (workload.isOfLocalCache()) {
            checkLocalCache();
        }
    }

    /** What is in memory is read from there: no block is looked for, and nothing of it is in the scan cache. */
    private void checkMemory(long operations) throws NotMeasured {
        double blocks = workload.isScan() ? (double) operations / Tables.ROWS_OF_A_BLOCK : operations;
        if (window.blocks().lookUps() + window.scans().hits() <= MOST_ELSEWHERE * blocks) {
            return;
        }
        for (Map.Entry<String, ServerStatus> server : after.byAddress().entrySet()) {
            CacheUse memory = ServerLook.cache(server.getValue(), ServerLook.IN_MEMORY);
            if (memory.misses() > 0) {
                throw new NotMeasured(String.format(
                        Locale.ROOT,
                        "tablet server %s has no room for its part of the table in memory: of its %,d bytes for in-memory"
                                + " groups %,d are taken: give it a larger tabletserver.inmemory.bytes and start it again,"
                                + " or write fewer --rows",
                        server.getKey(),
                        memory.maxBytes(),
                        memory.bytes()));
            }
        }
    }

    private void checkBlockCache() throws NotMeasured {
        CacheUse blocks = window.blocks();
        if (blocks.misses() > MOST_ELSEWHERE * blocks.lookUps()) {
            throw new NotMeasured(String.format(
                    Locale.ROOT,
                    "%.0f %% of its blocks were in no block cache: those of all tablet servers have %,d bytes, the table has"
                            + " %,d: give servers twice their part of it as tabletserver.blockcache.bytes, or write fewer"
                            + " --rows",
                    100.0 * blocks.misses() / blocks.lookUps(),
                    blocks.maxBytes(),
                    fileBytes));
        }
    }

    /** A disk with less room than the data has some of it: {@link #partInLocalCache} tells. */
    private void checkLocalCache() throws NotMeasured {
        CacheUse local = window.local();
        if (local.maxBytes() >= fileBytes && local.hitPart().orElse(1) < LEAST_OF_COPIES) {
            throw new NotMeasured(String.format(
                    Locale.ROOT,
                    "the local cache was not filled: %.0f %% of what was asked of it was there, though it has room for all"
                            + " %,d bytes: if others read too, run it when they do not",
                    100 * local.hitPart().orElse(1),
                    fileBytes));
        }
    }
}
