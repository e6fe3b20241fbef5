package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The entries that look-ups found in SSTables (section 6 of the paper), bounded by their bytes, so that what is asked again
 * needs no search through index and block. Known by file and prefix: a file never changes, so neither does what was found,
 * or not found, in it. Any thread.
 */
public final class ScanCache {
    /** Prefixes of which it is remembered that they were asked once. */
    private static final int ASKED = 1 << 16;

    private final long maxBytes;
    private final Cache<Key, Entries> found;
    /**
     * Hashes of what was asked lately. Entries are copied when they are asked for the second time: of data that is read
     * once, or of more than fits, a copy of each would cost more than the hits of the few that stay are worth.
     */
    private final AtomicLongArray asked = new AtomicLongArray(ASKED);

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    private ScanCache(long maxBytes) {
        this.maxBytes = maxBytes;
        found = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Key key, Entries entries) -> entries.weight())
                // On the thread that came: no pool of another's, and the simulator repeats.
                .executor(Runnable::run)
                .build();
    }

    public static ScanCache ofBytes(long maxBytes) {
        return new ScanCache(maxBytes);
    }

    /**
     * The file's entries whose keys begin with the prefix, and perhaps some behind them: a reader goes no further than the prefix. The
     * hashes are those of the prefix and of the row that it lies in; the cursor is one of the spares.
     */
    public Cursor cursor(SSTable file, Bytes prefix, FilterHash hash, FilterHash row, SpareCursors spares)
            throws BigtableException {
        // A copy of what is in memory would push out others' and spare little.
        if (maxBytes == 0 || file.isInMemory()) {
            return spares.cells(file, prefix, row);
        }
        Key key = new Key(file.path(), hash.value());
        Entries entries = found.getIfPresent(key);
        if (entries != null && entries.prefix.equals(prefix)) {
            (entries.areComplete() ? hits : misses).increment();
            if (entries.areComplete()) {
                ReadWork.ofThread().countEntries();
            }
            return entries.areComplete() ? spares.of(entries) : spares.cells(file, prefix, row);
        }
        misses.increment();
        if (!wasAsked(key)) {
            return spares.cells(file, prefix, row);
        }
        entries = Entries.read(spares.cells(file, prefix, row), prefix);
        found.put(key, entries);
        return entries.areComplete() ? spares.of(entries) : spares.cells(file, prefix, row);
    }

    public long hits() {
        return hits.sum();
    }

    public long misses() {
        return misses.sum();
    }

    public long maxBytes() {
        return maxBytes;
    }

    /** What the entries in it take, about. */
    public long bytes() {
        return BlockCache.weight(found);
    }

    private boolean wasAsked(Key key) {
        long mark = key.prefixHash() ^ key.path().hashCode();
        int at = (int) mark & (ASKED - 1);
        boolean was = asked.get(at) == mark;
        if (!was) {
            ReadWork.ofThread().mark(asked, at, mark);
        }
        return was;
    }

    private record Key(String path, long prefixHash) {}
}
