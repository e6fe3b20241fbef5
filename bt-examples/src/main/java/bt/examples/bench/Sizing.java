package bt.examples.bench;

/**
 * How much a run of {@code bt bench engine} does: entries that fit into the block cache, entries that do not, entries that
 * are written in a round of a fill, and of a flush; entries of one batch; how often and how long.
 */
record Sizing(
        int cachedEntries,
        int diskEntries,
        int fillEntries,
        int flushEntries,
        int batchEntries,
        Times reads,
        Times writes) {
    static final Sizing FULL =
            new Sizing(200_000, 1_000_000, 400_000, 60_000, 100, new Times(3, 15, 1_000), new Times(1, 5, 0));
    static final Sizing QUICK =
            new Sizing(10_000, 20_000, 20_000, 10_000, 100, new Times(1, 2, 150), new Times(1, 1, 0));

    Sizing withRounds(int rounds) {
        return new Sizing(
                cachedEntries,
                diskEntries,
                fillEntries,
                flushEntries,
                batchEntries,
                reads.withRounds(rounds),
                writes.withRounds(rounds));
    }

    /** Rounds that warm up, and rounds that count; how long one lasts at least, where its work does not say so. */
    record Times(int warmUps, int rounds, long roundMillis) {
        Times withRounds(int more) {
            return new Times(warmUps, more, roundMillis);
        }

        int all() {
            return warmUps + rounds;
        }

        long roundNanos() {
            return roundMillis * 1_000_000;
        }
    }
}
