package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.sstable.Cursor;
import bt.testing.CursorWalk;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

class MemtablePropertyTest {
    private final Memtable memtable = new Memtable();
    private long sequence;

    @SeededTest(runs = 100)
    void readsWhatASortedMapReads(RandomGenerator random) throws BigtableException {
        NavigableMap<Bytes, Bytes> model = new TreeMap<>();
        RandomTable table = new RandomTable(random);
        int mutations = random.nextInt(200);
        for (int i = 0; i < mutations; i++) {
            apply(table.mutation(), model);
        }

        assertThat(all(memtable.cursor())).isEqualTo(List.copyOf(model.entrySet()));
        new CursorWalk(memtable.cursor(), model).walk(500, () -> key(table, random), random);
    }

    @SeededTest(runs = 20)
    void largeAndSmallEntriesLieSideBySide(RandomGenerator random) throws BigtableException {
        NavigableMap<Bytes, Bytes> model = new TreeMap<>();
        int[] lengths = {0, 1, 100, 70_000, Arena.SLAB_BYTES / 4, Arena.SLAB_BYTES, 3 * Arena.SLAB_BYTES + 5};
        for (int i = 0; i < 40; i++) {
            byte[] value = new byte[lengths[random.nextInt(lengths.length)]];
            random.nextBytes(value);
            Bytes row = Bytes.utf8("row" + random.nextInt(20));
            apply(
                    RowMutation.of(row)
                            .set(ColumnKey.of("all", "q"), 1, Bytes.wrap(value))
                            .build(),
                    model);
        }
        assertThat(all(memtable.cursor())).isEqualTo(List.copyOf(model.entrySet()));
    }

    @SeededTest(runs = 100)
    void everyByteIsCounted(RandomGenerator random) throws BigtableException {
        NavigableMap<Bytes, Bytes> model = new TreeMap<>();
        RandomTable table = new RandomTable(random);
        assertThat(memtable.bytes()).isZero();
        for (int i = 0; i < 50; i++) {
            apply(table.mutation(), model);
        }

        long least = model.entrySet().stream()
                .mapToLong(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        long counted =
                memtable.familySizes().stream().mapToLong(FamilySize::bytes).sum();
        // Two lengths and a link at least beside each entry, and at most the links of all levels and what rounds it up.
        assertThat(counted).isBetween(least + 12L * model.size(), least + 60L * model.size());
        // The last array is half empty at worst, and the end of each may have been too short for what came next.
        assertThat(memtable.bytes()).isBetween(counted, 2 * counted + (32 << 10));
        Map<Integer, Long> cells = model.keySet().stream()
                .collect(Collectors.groupingBy(MemtablePropertyTest::family, Collectors.counting()));
        assertThat(memtable.familySizes().stream().collect(Collectors.toMap(FamilySize::family, FamilySize::cells)))
                .isEqualTo(cells);
    }

    @Tag("threads")
    @SeededTest(runs = 5)
    @Timeout(60)
    void readersBesideTheWriterSeeAllThatWasWrittenBeforeTheyBegan(RandomGenerator random) throws Exception {
        ConcurrentNavigableMap<Bytes, Bytes> model = new ConcurrentSkipListMap<>();
        RandomTable table = new RandomTable(random);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService readers = Executors.newFixedThreadPool(2);
        List<Future<Integer>> seen = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            seen.add(readers.submit(() -> readUntil(done, model)));
        }
        try {
            for (int i = 0; i < 3000; i++) {
                apply(table.mutation(), model);
            }
        } finally {
            done.set(true);
        }
        for (Future<Integer> last : seen) {
            assertThat(last.get()).isEqualTo(model.size());
        }
        readers.shutdown();
        assertThat(readers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    /** How many entries the last pass found, which was begun after the last write. */
    private int readUntil(AtomicBoolean done, ConcurrentNavigableMap<Bytes, Bytes> model) throws BigtableException {
        int found;
        boolean last;
        do {
            last = done.get();
            SortedMap<Bytes, Bytes> before = new TreeMap<>(model);
            List<Map.Entry<Bytes, Bytes>> all = all(memtable.cursor());
            assertThat(all).isSortedAccordingTo(Map.Entry.comparingByKey());
            SortedMap<Bytes, Bytes> now = new TreeMap<>();
            all.forEach(entry -> now.put(entry.getKey(), entry.getValue()));
            found = now.size();
            now.keySet().retainAll(before.keySet());
            assertThat(now).isEqualTo(before);
        } while (!last);
        return found;
    }

    /** Twice now and then, as a log may have it. In the model after the memtable: what the model has, readers must find. */
    private void apply(RowMutation mutation, Map<Bytes, Bytes> model) throws BigtableException {
        ResolvedMutation resolved = Resolver.resolve(mutation, RandomTable.schema(4), sequence + 1, 7);
        sequence = resolved.lastSequence();
        memtable.apply(resolved);
        if (sequence % 3 == 0) {
            memtable.apply(resolved);
        }
        resolved.entries().forEach(entry -> model.put(entry.key(), entry.value()));
    }

    private static Bytes key(RandomTable table, RandomGenerator random) {
        Bytes row = table.row();
        return switch (random.nextInt(3)) {
            case 0 -> CellKey.rowPrefix(row);
            case 1 -> CellKey.rowEnd(row);
            default -> CellKey.familyPrefix(row, 1 + random.nextInt(7));
        };
    }

    private static int family(Bytes key) {
        return CellKey.familyOf(Slice.of(key), CellKey.rowPrefixLength(Slice.of(key)));
    }

    private static List<Map.Entry<Bytes, Bytes>> all(Cursor cursor) throws BigtableException {
        List<Map.Entry<Bytes, Bytes>> all = new ArrayList<>();
        while (cursor.next()) {
            all.add(entry(cursor));
        }
        return all;
    }

    private static Map.Entry<Bytes, Bytes> entry(Cursor cursor) {
        return Map.entry(cursor.key().toBytes(), cursor.value().toBytes());
    }
}
