package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Slice;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

class SkipListPropertyTest {
    private static final int KEYS = 20_000;

    private final SkipList list = new SkipList();
    private final TreeMap<Bytes, Bytes> model = new TreeMap<>();

    private static Bytes key(int number) {
        return Bytes.utf8(String.format("%06d", number));
    }

    private Bytes keyOf(int node) {
        Slice key = new Slice();
        list.showKey(node, key);
        return key.toBytes();
    }

    private Bytes valueOf(int node) {
        Slice value = new Slice();
        list.showValue(node, value);
        return value.toBytes();
    }

    private List<Bytes> keysOn(int level) {
        List<Bytes> keys = new ArrayList<>();
        for (int node = list.next(SkipList.NONE, level); node != SkipList.NONE; node = list.next(node, level)) {
            keys.add(keyOf(node));
        }
        return keys;
    }

    /** What is there already stays. */
    private void insert(int number, Bytes value) {
        Bytes key = key(number);
        model.putIfAbsent(key, value);
        int node = list.insert(key, value);
        assertThat(keyOf(node)).isEqualTo(key);
        assertThat(valueOf(node)).isEqualTo(model.get(key));
    }

    /** Runs of rising keys, near to each other or far, from wherever: each begins below, in, or above what is there. */
    @SeededTest(runs = 40)
    void holdsWhatASortedMapHolds(RandomGenerator random) {
        for (int run = 0; run < 100; run++) {
            int number = random.nextInt(KEYS);
            int step = 1 + (1 << random.nextInt(13));
            for (int i = random.nextInt(60); i > 0; i--) {
                insert(number, Bytes.utf8("v" + run));
                number = (number + random.nextInt(step)) % KEYS;
            }
        }
        List<Map.Entry<Bytes, Bytes>> found = new ArrayList<>();
        for (int node = list.next(SkipList.NONE); node != SkipList.NONE; node = list.next(node)) {
            found.add(Map.entry(keyOf(node), valueOf(node)));
        }
        assertThat(found).containsExactlyElementsOf(model.entrySet());
        for (int level = 0; level < SkipList.MAX_HEIGHT; level++) {
            assertThat(keysOn(level)).isSorted();
        }
        for (int i = 0; i < 500; i++) {
            Bytes sought = key(random.nextInt(KEYS));
            int node = list.findAtOrAfter(sought);
            assertThat(node == SkipList.NONE ? null : keyOf(node)).isEqualTo(model.ceilingKey(sought));
        }
        assertThat(keyOf(list.last())).isEqualTo(model.lastKey());
    }
}
