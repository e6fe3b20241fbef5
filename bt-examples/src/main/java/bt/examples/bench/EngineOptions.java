package bt.examples.bench;

import java.nio.file.Path;

/** How an engine is set up, the same for both systems. The log, where there is one, is not synced with every batch. */
record EngineOptions(
        Path directory,
        int blockBytes,
        String codec,
        int bloomBitsPerKey,
        long cacheBytes,
        long memtableBytes,
        boolean log) {
    EngineOptions in(Path elsewhere) {
        return new EngineOptions(elsewhere, blockBytes, codec, bloomBitsPerKey, cacheBytes, memtableBytes, log);
    }

    EngineOptions withCache(long bytes) {
        return new EngineOptions(directory, blockBytes, codec, bloomBitsPerKey, bytes, memtableBytes, log);
    }

    EngineOptions withMemtable(long bytes) {
        return new EngineOptions(directory, blockBytes, codec, bloomBitsPerKey, cacheBytes, bytes, log);
    }

    EngineOptions withLog() {
        return new EngineOptions(directory, blockBytes, codec, bloomBitsPerKey, cacheBytes, memtableBytes, true);
    }
}
