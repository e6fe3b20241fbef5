package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import java.util.SortedMap;
import java.util.TreeMap;

/** An SSTable in a store that counts how often it is read, and that may be told to fail. */
final class CountedFile {
    final SortedMap<Bytes, Bytes> cells = new TreeMap<>();
    final FileStore store;
    int reads;
    boolean broken;

    CountedFile() throws BigtableException {
        store = new MemoryFileStore(Clock.system(), (process, operation, path) -> {
                    if (operation == FileOperation.READ) {
                        reads++;
                        if (broken) {
                            throw new UnavailableException("no datanode answers");
                        }
                    }
                })
                .process("test");
        store.makeDirectory("data/7/1");
    }

    /** So many cells, and one deletion. */
    void write(int count, int blockBytes) throws BigtableException {
        for (int i = 0; i < count; i++) {
            cells.put(key(i), value(i));
        }
        SortedMap<Bytes, Bytes> deletions = new TreeMap<>();
        deletions.put(key(3), Bytes.EMPTY);
        SSTables.write(store, SSTables.options(blockBytes, "none"), cells, deletions);
    }

    SSTable open(long cacheBytes) throws BigtableException {
        return SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(cacheBytes));
    }

    static Bytes key(int i) {
        return Bytes.utf8(String.format("row%06d/family", i));
    }

    static Bytes value(int i) {
        return Bytes.utf8("a value of some length, number " + i);
    }
}
