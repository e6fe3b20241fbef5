package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.sstable.Cursor;
import bt.testing.CursorWalk;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Several runs as one, and the clip of one, go to and fro as a sorted map of what they show does. */
class CursorPropertyTest {
    @SeededTest(runs = 200)
    void runsThatShareKeysAreWalkedAsOne(RandomGenerator random) throws BigtableException {
        RandomTable table = new RandomTable(random);
        NavigableMap<Bytes, Bytes> model = new TreeMap<>();
        List<Memtable> memtables = new ArrayList<>();
        int runs = random.nextInt(5);
        for (int i = 0; i < runs; i++) {
            memtables.add(new Memtable());
        }
        for (int i = 1; i < 60 && runs > 0; i++) {
            ResolvedMutation mutation = Resolver.resolve(table.mutation(), RandomTable.schema(4), 100L * i, 7);
            for (Memtable memtable : memtables) {
                if (random.nextInt(runs) == 0) {
                    memtable.apply(mutation);
                    mutation.entries().forEach(entry -> model.put(entry.key(), entry.value()));
                }
            }
        }
        Cursor merged =
                MergingCursor.of(memtables.stream().map(Memtable::cursor).toList());
        new CursorWalk(merged, model).walk(300, () -> target(table, model, random), random);
    }

    @SeededTest(runs = 200)
    void theClipIsWalkedAsIfNothingElseWereThere(RandomGenerator random) throws BigtableException {
        RandomTable table = new RandomTable(random);
        Memtable memtable = new Memtable();
        NavigableMap<Bytes, Bytes> model = new TreeMap<>();
        RowRange clip = table.range();
        for (int i = 1; i < 40; i++) {
            ResolvedMutation mutation = Resolver.resolve(table.mutation(), RandomTable.schema(4), 100L * i, 7);
            memtable.apply(mutation);
            if (clip.contains(mutation.row())) {
                mutation.entries().forEach(entry -> model.put(entry.key(), entry.value()));
            }
        }
        Cursor clipped = new ClippedCursor(memtable.cursor(), clip, Optional.empty());
        new CursorWalk(clipped, model).walk(300, () -> target(table, model, random), random);
    }

    @SeededTest(runs = 200)
    void anOverriddenSequenceIsWalkedAsIfItWereWritten(RandomGenerator random) throws BigtableException {
        RandomTable table = new RandomTable(random);
        Memtable memtable = new Memtable();
        NavigableMap<Bytes, Bytes> model = new TreeMap<>();
        RowRange clip = table.range();
        long sequence = random.nextLong(1000);
        for (int i = 1; i < 60; i++) {
            ResolvedMutation mutation = Resolver.resolve(table.mutation(), RandomTable.schema(4), 1, 7);
            Entry first = mutation.entries().get(0);
            CellKey key = CellKey.decode(first.key());
            Entry written = new Entry(withSequence(key, 0), Bytes.EMPTY);
            memtable.apply(new ResolvedMutation(mutation.row(), 0, 0, List.of(written)));
            if (clip.contains(mutation.row())) {
                model.put(withSequence(key, sequence), Bytes.EMPTY);
            }
        }
        Cursor clipped = new ClippedCursor(memtable.cursor(), clip, Optional.of(sequence));
        new CursorWalk(clipped, model).walk(300, () -> target(table, model, random), random);
    }

    private static Bytes withSequence(CellKey key, long sequence) {
        return new CellKey(key.row(), key.family(), key.qualifier(), key.timestamp(), sequence, key.kind()).encode();
    }

    /** The beginning or the end of a row or column, or a key that is there, or one beside it. */
    private static Bytes target(RandomTable table, NavigableMap<Bytes, Bytes> model, RandomGenerator random) {
        Bytes row = table.row();
        return switch (random.nextInt(5)) {
            case 0 -> CellKey.rowPrefix(row);
            case 1 -> CellKey.rowEnd(row);
            case 2 -> CellKey.familyPrefix(row, 1 + random.nextInt(7));
            case 3 -> near(model, CellKey.rowPrefix(row));
            default -> near(model, CellKey.rowPrefix(row)).successor();
        };
    }

    private static Bytes near(NavigableMap<Bytes, Bytes> model, Bytes key) {
        return Optional.ofNullable(model.ceilingKey(key)).orElse(key);
    }
}
