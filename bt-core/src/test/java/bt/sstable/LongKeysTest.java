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
        assertThat(separator.length()).isLessThanOrEqualTo(Math.max(KeySpan.KEPT_BYTES, highest(last) + 1));
        assertThat(separator.sharedLength(last)).isGreaterThanOrEqualTo(separator.length() - 1);
    }

    /** How many bytes of 0xff it begins with. */
    private static int highest(Bytes key) {
        int bytes = 0;
        while (bytes < key.length() && key.at(bytes) == (byte) 0xff) {
            bytes++;
        }
        return bytes;
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

    private static void checkMemory(SortedMap<Bytes, Bytes> entries) throws BigtableException {
        FileStore store = SSTables.store();
        SSTables.write(store, SSTables.options(1 << 10, "none"), entries, entries);
        // Of what open files share there is none left: what they have now nothing takes from them.
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(1 << 20, 0))) {
            assertThat(file.memoryBytes()).isLessThan(2_000);
            assertThat(file.propertiesBytes()).isLessThan(1_000);
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(entries));
            assertThat(SSTables.all(file.deletions())).isEqualTo(SSTables.entries(entries));
            assertThat(file.cursor().seek(entries.lastKey().successor())).isFalse();
            assertThat(file.cursor().seek(Bytes.utf8("l"))).isFalse();
        }
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

    /** Nothing short is above it. */
    @Test
    void aRootThatIsLongAllTheSameIsCounted() throws BigtableException {
        byte[] highest = new byte[KEY_BYTES];
        Arrays.fill(highest, (byte) 0xff);
        FileStore store = SSTables.store();
        SSTables.write(
                store,
                SSTables.options(1 << 10, "none"),
                new TreeMap<>(Map.of(Bytes.wrap(highest), VALUE)),
                new TreeMap<>());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(1 << 20, 0))) {
            assertThat(file.memoryBytes()).isGreaterThan(KEY_BYTES);
            assertThat(file.propertiesBytes()).isBetween(file.memoryBytes() - 1_500, file.memoryBytes() + 1_000);
        }
    }
}
