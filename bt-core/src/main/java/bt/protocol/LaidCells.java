package bt.protocol;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.model.Cell;
import bt.model.ColumnKey;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a page as they lie in the frame that it came in, laid out as {@link PageCodec} says. Their layout is checked
 * when they come; each is made when it is asked for, on the thread that asks. Immutable, any thread; an iterator is one's.
 */
final class LaidCells extends AbstractList<Cell> {
    /** What differs, and the length of the value. */
    private static final int LEAST_CELL_BYTES = 2;

    private final Input beginning;
    private final int count;
    private final int bytes;
    /** Once somebody asked for one of them by its place. */
    private volatile @Nullable List<Cell> made;

    private LaidCells(Input beginning, int count, int bytes) {
        this.beginning = beginning;
        this.count = count;
        this.bytes = bytes;
    }

    /** Reads past them. */
    static List<Cell> decode(Input in) throws CorruptionException {
        int count = Fields.count(in, "cells", LEAST_CELL_BYTES);
        Input beginning = in.copy();
        for (int i = 0; i < count; i++) {
            skip(in, differences(in, i == 0));
        }
        return new LaidCells(beginning, count, beginning.remaining() - in.remaining());
    }

    private static int differences(Input in, boolean isFirst) throws CorruptionException {
        int differs = in.u8("differences");
        if (differs > PageCodec.EVERYTHING) {
            throw in.corrupt("differences " + differs + " are unknown");
        }
        if (isFirst && (differs & PageCodec.KEY) != PageCodec.KEY) {
            throw in.corrupt("the first cell names only " + differs + " of its parts");
        }
        return differs;
    }

    private static void skip(Input in, int differs) throws CorruptionException {
        if ((differs & PageCodec.ROW) != 0) {
            in.skipBytes("row");
        }
        if ((differs & PageCodec.FAMILY) != 0 && in.skipBytes("family") == 0) {
            throw in.corrupt("a column has no family");
        }
        if ((differs & PageCodec.QUALIFIER) != 0) {
            in.skipBytes("qualifier");
        }
        if ((differs & PageCodec.TIMESTAMP) != 0) {
            in.skip("timestamp", Long.BYTES);
        }
        if ((differs & PageCodec.LABEL) != 0) {
            in.skipBytes("label");
        }
        in.skipBytes("value");
    }

    /** How many they lie in. */
    int bytes() {
        return bytes;
    }

    @Override
    public int size() {
        return count;
    }

    /** For whoever does not take them one after the other: all are made. */
    @Override
    public Cell get(int index) {
        List<Cell> all = made;
        if (all == null) {
            all = List.of(toArray(new Cell[0]));
            made = all;
        }
        return all.get(index);
    }

    @Override
    public Iterator<Cell> iterator() {
        List<Cell> all = made;
        return all == null ? new Making(beginning.copy(), count) : all.iterator();
    }

    private static final class Making implements Iterator<Cell> {
        private final Input in;
        private int left;
        private @Nullable Cell before;

        Making(Input in, int count) {
            this.in = in;
            this.left = count;
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public Cell next() {
            if (left == 0) {
                throw new NoSuchElementException("there is no cell behind the last");
            }
            try {
                Cell cell = cell(differences(in, before == null));
                before = cell;
                left--;
                return cell;
            } catch (CorruptionException changed) {
                throw new AssertionError("the layout was checked", changed);
            }
        }

        private Cell cell(int differs) throws CorruptionException {
            Cell last = before;
            if (last == null) {
                return first(differs);
            }
            Bytes row = (differs & PageCodec.ROW) != 0 ? in.bytes("row") : last.row();
            ColumnKey column = (differs & (PageCodec.FAMILY | PageCodec.QUALIFIER)) != 0
                    ? column(differs, last.column())
                    : last.column();
            long timestamp = (differs & PageCodec.TIMESTAMP) != 0 ? in.u64("timestamp") : last.timestamp();
            String label = (differs & PageCodec.LABEL) != 0 ? in.text("label") : last.label();
            return new Cell(row, column, timestamp, in.bytes("value"), label);
        }

        private Cell first(int differs) throws CorruptionException {
            Bytes row = in.bytes("row");
            ColumnKey column = Fields.column(in);
            long timestamp = in.u64("timestamp");
            String label = (differs & PageCodec.LABEL) != 0 ? in.text("label") : "";
            return new Cell(row, column, timestamp, in.bytes("value"), label);
        }

        private ColumnKey column(int differs, ColumnKey last) throws CorruptionException {
            return new ColumnKey(
                    (differs & PageCodec.FAMILY) != 0 ? in.text("family") : last.family(),
                    (differs & PageCodec.QUALIFIER) != 0 ? in.bytes("qualifier") : last.qualifier());
        }
    }
}
