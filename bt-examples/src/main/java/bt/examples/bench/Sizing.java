package bt.examples.bench;

/**
 * How much a run of {@code bt bench engine} does: entries that fit into the block cache, entries that do not, entries that
 * are written in a round of a fill, and of a flush; entries of one batch; how many rounds are measured, and how long a
 * round of gets lasts.
 */
record Sizing(
        int cachedEntries,
        int diskEntries,
        int fillEntries,
        int flushEntries,
        int batchEntries,
        int rounds,
        long roundMillis) {
    static final Sizing FULL = new Sizing(200_000, 1_000_000, 400_000, 60_000, 100, 7, 2_000);
    static final Sizing QUICK = new Sizing(10_000, 20_000, 20_000, 10_000, 100, 2, 150);
}
