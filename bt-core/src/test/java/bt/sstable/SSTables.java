package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Slice;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.record.SSTableProperties;
import bt.testing.MemoryFileStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Files for tests, in a store in memory. The row is what lies before the first {@code /}, row and column
 * are all of the key. */
final class SSTables {
    static final String PATH = "data/7/1/3";
    static final FilterKey BEFORE_SLASH = key -> {
        for (int i = 0; i < key.length(); i++) {
            if (key.at(i) == '/') {
                return i;
            }
        }
        return key.length();
    };

    private SSTables() {}

    static FileStore store() throws BigtableException {
        FileStore store = new MemoryFileStore(Clock.system()).process("test");
        store.makeDirectory("data/7/1");
        return store;
    }

    static SSTableOptions options(int blockBytes, String codec) {
        return new SSTableOptions(blockBytes, codec, 10, BEFORE_SLASH).withColumns(Slice::length);
    }

    static FilterHash hash(String filterKey) {
        return FilterHash.of(Bytes.utf8(filterKey));
    }

    static FilterHash rowHash(Bytes key) {
        return FilterHash.of(key.slice(0, BEFORE_SLASH.length(Slice.of(key))));
    }

    static SSTableProperties.Builder seed() {
        return SSTableProperties.newBuilder().setSmallestSequence(5).setLargestSequence(9);
    }

    static SSTableProperties write(
            FileStore store, SSTableOptions options, SortedMap<Bytes, Bytes> cells, SortedMap<Bytes, Bytes> deletions)
            throws BigtableException {
        SSTableWriter writer = SSTableWriter.create(store, PATH, options);
        SortedMap<Bytes, Bytes> both = new TreeMap<>(cells);
        both.putAll(deletions);
        for (Bytes key : both.keySet()) {
            if (cells.containsKey(key)) {
                writer.add(key, cells.get(key));
            }
            if (deletions.containsKey(key)) {
                writer.addDeletion(key, deletions.get(key));
            }
        }
        return writer.finish(seed());
    }

    static List<Entry> all(Cursor cursor) throws BigtableException {
        List<Entry> entries = new ArrayList<>();
        while (cursor.next()) {
            entries.add(new Entry(cursor.key().toBytes(), cursor.value().toBytes()));
        }
        return entries;
    }

    /** From the last one to the first. */
    static List<Entry> allBackwards(Cursor cursor) throws BigtableException {
        List<Entry> entries = new ArrayList<>();
        for (boolean more = cursor.seekToLast(); more; more = cursor.previous()) {
            entries.add(new Entry(cursor.key().toBytes(), cursor.value().toBytes()));
        }
        return entries;
    }

    static List<Entry> entries(SortedMap<Bytes, Bytes> map) {
        return map.entrySet().stream()
                .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    static byte[] bytes(FileStore store) throws BigtableException {
        try (FileReader file = store.open(PATH)) {
            byte[] bytes = new byte[(int) file.length()];
            file.readFully(0, bytes, 0, bytes.length);
            return bytes;
        }
    }

    static void replace(FileStore store, byte[] bytes) throws BigtableException {
        store.delete(PATH);
        FileWriter file = store.create(PATH, FileStore.Placement.DATA);
        file.append(bytes, 0, bytes.length);
        file.close();
    }

    /** Short keys over few bytes, 00 and FF among them, so that prefixes and neighbours abound; one in eight is long. */
    static Bytes randomKey(RandomGenerator random) {
        byte[] alphabet = {0, 1, '/', 'a', 'b', (byte) 0xff};
        byte[] key = new byte[random.nextInt(8) == 0 ? random.nextInt(200) : random.nextInt(7)];
        for (int i = 0; i < key.length; i++) {
            key[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return Bytes.wrap(key);
    }

    /** One of a few bytes behind what most others begin with too, about as long as what is kept of a key; some of 0xff alone. */
    static Bytes longKey(RandomGenerator random) {
        byte[] beginnings = {'a', (byte) 0xff};
        byte[] key = new byte[KeySpan.KEPT_BYTES - 4 + random.nextInt(8)];
        Arrays.fill(key, beginnings[random.nextInt(2)]);
        Bytes end = randomKey(random);
        byte[] whole = Arrays.copyOf(key, key.length + end.length());
        end.copyTo(whole, key.length);
        return Bytes.wrap(whole);
    }

    static NavigableMap<Bytes, Bytes> random(RandomGenerator random, int entries) {
        NavigableMap<Bytes, Bytes> map = new TreeMap<>();
        for (int i = 0; i < entries; i++) {
            byte[] value = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(60)];
            if (random.nextBoolean()) {
                random.nextBytes(value);
            }
            map.put(randomKey(random), Bytes.wrap(value));
        }
        return map;
    }

    record Entry(Bytes key, Bytes value) {}
}
