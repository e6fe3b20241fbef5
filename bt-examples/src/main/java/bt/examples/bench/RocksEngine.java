package bt.examples.bench;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ChecksumType;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * RocksDB through {@code rocksdbjni}. What compacts by itself is off, as it is on our side: flush and compaction are
 * workloads of their own. Index and filters stay in memory, CRC32C is the checksum, as with ours.
 */
final class RocksEngine implements Engine {
    private static final int NEVER = 1 << 20;
    private static final int MEMTABLES = 3;

    /** Of which a quarter flush: two, for two engines at a time. Otherwise both would share one thread for each. */
    private static final int BACKGROUND_JOBS = 8;

    private final EngineOptions setup;
    private final Entries entries;
    private final LRUCache cache;
    private final BloomFilter filter;
    private final Options options;
    private final RocksDB db;

    RocksEngine(EngineOptions setup, Entries entries) throws RocksDBException {
        RocksDB.loadLibrary();
        this.setup = setup;
        this.entries = entries;
        this.cache = new LRUCache(setup.cacheBytes());
        this.filter = new BloomFilter(setup.bloomBitsPerKey(), false);
        this.options = options();
        this.db = RocksDB.open(options, setup.directory().toString());
    }

    private Options options() {
        BlockBasedTableConfig table = new BlockBasedTableConfig()
                .setBlockSize(setup.blockBytes())
                .setBlockCache(cache)
                .setChecksumType(ChecksumType.kCRC32c)
                .setFilterPolicy(filter);
        return new Options()
                .setCreateIfMissing(true)
                .setTableFormatConfig(table)
                .setCompressionType(compression(setup.codec()))
                .setWriteBufferSize(setup.memtableBytes())
                .setMaxWriteBufferNumber(MEMTABLES)
                .setDisableAutoCompactions(true)
                .setMaxBackgroundJobs(BACKGROUND_JOBS)
                .setLevel0SlowdownWritesTrigger(NEVER)
                .setLevel0StopWritesTrigger(NEVER);
    }

    private static CompressionType compression(String codec) {
        return switch (codec) {
            case "none" -> CompressionType.NO_COMPRESSION;
            case "lz4" -> CompressionType.LZ4_COMPRESSION;
            case "zstd" -> CompressionType.ZSTD_COMPRESSION;
            default -> throw new IllegalArgumentException("RocksDB has no codec " + codec + ": none, lz4 or zstd");
        };
    }

    @Override
    public String system() {
        return "rocksdb";
    }

    @Override
    public Session session() {
        return new RocksSession(db, entries, setup.log());
    }

    @Override
    public void flush() throws RocksDBException {
        try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
            db.flush(waiting);
        }
    }

    @Override
    public void compact() throws RocksDBException {
        try (CompactRangeOptions all =
                new CompactRangeOptions().setBottommostLevelCompaction(BottommostLevelCompaction.kForce)) {
            db.compactRange(db.getDefaultColumnFamily(), null, null, all);
        }
    }

    @Override
    public void close() {
        db.close();
        options.close();
        filter.close();
        cache.close();
    }
}
