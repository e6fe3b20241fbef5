package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileStore;
import bt.testing.SeededTest;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a file keeps in memory while it is open whose keys are as long as they may be. */
class LongKeysTest {
    private static final int KEY_BYTES = 131_000;
    private static final Bytes VALUE = Bytes.utf8("value");

    @SeededTest(runs = 1_000)
    void anIndexEndsWithAShortKeyThatIsNotBelowTheLast(RandomGenerator random) {
        Bytes last = SSTables.longKey(random);
        Bytes separator = RunWriter.lastSeparator(last);
        assertThat(separator).isGreaterThanOrEqualTo(last);
        if (beginsWithAKeptHighest(last)) {
            assertThat(separator).isEqualTo(last);
        } else {
            assertThat(separator.length()).isLessThanOrEqualTo(KeySpan.KEPT_BYTES);
            assertThat(separator.sharedLength(last)).isGreaterThanOrEqualTo(separator.length() - 1);
        }
    }

    /** Nothing short is above it. */
    private static boolean beginsWithAKeptHighest(Bytes key) {
        return key.startsWith(highest(KeySpan.KEPT_BYTES));
    }

    private static Bytes highest(int length) {
        byte[] highest = new byte[length];
        Arrays.fill(highest, (byte) 0xff);
        return Bytes.wrap(highest);
    }

    @Test
    void aKeyThatIsNotLongEndsItsIndex() {
        Bytes last = Bytes.utf8("k".repeat(KeySpan.KEPT_BYTES));
        assertThat(RunWriter.lastSeparator(last)).isEqualTo(last);
    }

    @Test
    void aCellOfTheLongestKeyLeavesAlmostNothingInMemory() throws BigtableException {
        checkMemory(new TreeMap<>(Map.of(key('a'), VALUE)));
    }

    @Test
    void cellsWhoseKeysDifferInTheLastByteAloneLeaveAlmostNothingInMemory() throws BigtableException {
        checkMemory(new TreeMap<>(Map.of(key('a'), VALUE, key('b'), VALUE, key('c'), VALUE)));
    }

    @Test
    void cellsAboveWhoseKeysNothingShortIsLeaveAlmostNothingInMemory() throws BigtableException {
        checkMemory(new TreeMap<>(Map.of(highest(KEY_BYTES), VALUE, Bytes.utf8("a"), VALUE)));
    }

    private static void checkMemory(SortedMap<Bytes, Bytes> entries) throws BigtableException {
        FileStore store = SSTables.store();
        SSTables.write(store, SSTables.options(1 << 10, "none"), entries, entries);
        // Of what open files share there is none left: what they have now nothing takes from them.
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(1 << 20, 0))) {
            assertThat(file.memoryBytes()).isLessThan(2_000);
            assertThat(file.propertiesBytes()).isLessThan(1_000);
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(entries));
            assertThat(SSTables.all(file.deletions())).isEqualTo(SSTables.entries(entries));
            checkEnd(file, entries.lastKey());
        }
    }

    private static void checkEnd(SSTable file, Bytes last) throws BigtableException {
        Cursor cursor = file.cursor();
        assertThat(cursor.seek(last.successor())).isFalse();
        assertThat(file.index().seek(highest(KEY_BYTES).successor())).isFalse();
        assertThat(cursor.seekBefore(last.successor())).isTrue();
        assertThat(cursor.key().toBytes()).isEqualTo(last);
        assertThat(cursor.seek(last)).isTrue();
        assertThat(cursor.next()).isFalse();
    }

    private static Bytes key(char last) {
        return Bytes.utf8("k".repeat(KEY_BYTES - 1) + last);
    }

    /** Of each 256 blocks the last has a key behind it that differs from its own in the last byte alone. */
    @Test
    void whereLeavesWouldEndWithLongKeysTheRootStaysSmallBesideThem() throws BigtableException {
        SortedMap<Bytes, Bytes> entries = new TreeMap<>();
        for (int leaf = 0; leaf < 8; leaf++) {
            String beginning = "k" + leaf;
            for (int i = leaf == 0 ? 0 : 1; i < 255; i++) {
                entries.put(Bytes.utf8(beginning + "%03d".formatted(i)), VALUE);
            }
            String end = beginning + "z".repeat(KEY_BYTES);
            entries.put(Bytes.utf8(end + "a"), VALUE);
            entries.put(Bytes.utf8(end + "b"), VALUE);
        }
        FileStore store = SSTables.store();
        SSTables.write(store, SSTables.options(1, "none"), entries, new TreeMap<>());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(1 << 20, 0))) {
            assertThat(file.memoryBytes()).isLessThan(5_000);
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(entries));
        }
    }

    /** Between two leaves no key is shorter than what they begin with: the root has it once for each, though of the last no more than a byte behind it. */
    @Test
    void theRootOfManyLongKeysIsSmallBesideTheLeavesAndCounted() throws BigtableException {
        int keyBytes = 10_000;
        SortedMap<Bytes, Bytes> entries = new TreeMap<>();
        for (int i = 0; i < 400; i++) {
            entries.put(Bytes.utf8("k".repeat(keyBytes) + "%03d".formatted(i) + "z".repeat(keyBytes)), VALUE);
        }
        long memoryBytes = writeAndOpen(entries);
        assertThat(memoryBytes).isBetween((long) keyBytes, keyBytes + 1_500L);

        // The last of all is behind the root's last but one, and begins with it.
        SortedMap<Bytes, Bytes> highest = new TreeMap<>();
        entries.forEach((key, value) -> highest.put(behindHighest(key), value));
        assertThat(writeAndOpen(highest)).isBetween(2L * keyBytes, 2L * keyBytes + 2_500);
    }

    private static Bytes behindHighest(Bytes key) {
        byte[] whole = highest(KeySpan.KEPT_BYTES + key.length()).toArray();
        key.copyTo(whole, KeySpan.KEPT_BYTES);
        return Bytes.wrap(whole);
    }

    private static long writeAndOpen(SortedMap<Bytes, Bytes> entries) throws BigtableException {
        FileStore store = SSTables.store();
        SSTables.write(store, SSTables.options(1 << 10, "none"), entries, new TreeMap<>());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(1 << 20, 0))) {
            assertThat(file.propertiesBytes()).isBetween(file.memoryBytes() - 1_500, file.memoryBytes() + 1_000);
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(entries));
            assertThat(SSTables.allBackwards(file.cursor())).hasSize(entries.size());
            return file.memoryBytes();
        }
    }
}
