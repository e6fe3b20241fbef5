package bt.examples.bench;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.tablet.Page;
import bt.tablet.ReadSpec;
import bt.tablet.Tablet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads as a tablet server's handler does: a row, or page after page of a range. */
final class BtSession implements Engine.Session {
    private static final ColumnKey COLUMN = ColumnKey.of(BtEngine.FAMILY, "");

    private final Tablet tablet;
    private final TabletWriter writer;
    private final Entries entries;

    BtSession(Tablet tablet, TabletWriter writer, Entries entries) {
        this.tablet = tablet;
        this.writer = writer;
        this.entries = entries;
    }

    @Override
    public void write(int first, int count) throws Exception {
        List<RowMutation> batch = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            int number = entries.numberWritten(i);
            byte[] value = new byte[entries.valueBytes()];
            entries.value(number, value);
            batch.add(RowMutation.of(row(number)).set(COLUMN, Bytes.wrap(value)).build());
        }
        writer.write(batch);
    }

    @Override
    public boolean get(int number) throws BigtableException {
        List<Cell> cells = read(row(number));
        return cells.size() == 1
                && cells.get(0).value().length() == entries.valueBytes()
                && Entries.isValueOf(number, cells.get(0).value().at(0));
    }

    @Override
    public boolean misses(int number) throws BigtableException {
        byte[] key = new byte[Entries.KEY_BYTES];
        entries.absentKey(number, key);
        return read(Bytes.wrap(key)).isEmpty();
    }

    private List<Cell> read(Bytes row) throws BigtableException {
        return tablet.read(ReadSpec.of(RowRange.row(row), Filter.ALL)).cells();
    }

    @Override
    public long scan() throws BigtableException {
        long found = 0;
        Optional<Bytes> next = Optional.of(Bytes.EMPTY);
        while (next.isPresent()) {
            Page page = tablet.read(ReadSpec.of(RowRange.from(next.get()), Filter.ALL));
            found += page.cells().size();
            next = page.next();
        }
        return found;
    }

    private Bytes row(int number) {
        byte[] key = new byte[Entries.KEY_BYTES];
        entries.key(number, key);
        return Bytes.wrap(key);
    }

    @Override
    public void close() {}
}
