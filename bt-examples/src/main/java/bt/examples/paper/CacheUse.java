package bt.examples.paper;

import java.util.OptionalDouble;

/**
 * Caches of servers, or one of them.
 *
 * @param bytes in it
 * @param maxBytes that it may hold
 * @param hits how often it had what was looked for
 * @param misses how often it had not
 */
record CacheUse(long bytes, long maxBytes, long hits, long misses) {
    static final CacheUse NONE = new CacheUse(0, 0, 0, 0);

    CacheUse plus(CacheUse other) {
        return new CacheUse(bytes + other.bytes, maxBytes + other.maxBytes, hits + other.hits, misses + other.misses);
    }

    /** What it holds, and what was looked for since then. */
    CacheUse since(CacheUse before) {
        return new CacheUse(bytes, maxBytes, hits - before.hits, misses - before.misses);
    }

    long lookUps() {
        return hits + misses;
    }

    /** Which part of what was looked for it had; empty where nothing was. */
    OptionalDouble hitPart() {
        return lookUps() == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) hits / lookUps());
    }
}
