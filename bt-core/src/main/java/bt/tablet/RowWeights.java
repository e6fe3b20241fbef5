package bt.tablet;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.RowRange;
import bt.sstable.IndexWalk;
import bt.sstable.SSTable;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How the bytes of a tablet's files lie along its rows, as exactly as the indexes of the files tell: each block counts for
 * the row at its end. One thread.
 */
final class RowWeights {
    private final NavigableMap<Bytes, Long> bytesByRow = new TreeMap<>();
    private long total;

    /** Of a file of which these rows are shown. Reads no more than its index, and its properties where keys are long. */
    static RowWeights of(SSTable file, RowRange shown) throws BigtableException {
        RowWeights weights = new RowWeights();
        Optional<Bytes> end = shown.end().map(CellKey::rowPrefix);
        IndexWalk index = file.index();
        boolean found = shown.start().isEmpty() ? index.next() : index.seek(CellKey.rowPrefix(shown.start()));
        while (found) {
            Bytes key = index.key().toBytes();
            long bytes = index.bytes();
            found = index.next();
            weights.add(found ? rowOf(key) : lastRow(file, rowOf(key)), bytes);
            // What ends the block may lie behind the rows that are shown; what the next one has does.
            found &= end.isEmpty() || key.compareTo(end.get()) < 0;
        }
        return weights;
    }

    /** The last key of an index may be of a row above all that the file has: a giant row would seem to have another one behind it. */
    private static Bytes lastRow(SSTable file, Bytes row) throws BigtableException {
        if (row.compareTo(rowOf(file.keys().largest())) <= 0) {
            return row;
        }
        Bytes last = rowOf(AvroBytes.bytes(file.readProperties().getLargestKey()));
        return row.compareTo(last) <= 0 ? row : last;
    }

    private static Bytes rowOf(Bytes key) {
        return CellKey.rowOf(Slice.of(key));
    }

    void add(Bytes row, long bytes) {
        bytesByRow.merge(row, bytes, Long::sum);
        total += bytes;
    }

    void addAll(RowWeights that) {
        that.bytesByRow.forEach(this::add);
    }

    long total() {
        return total;
    }

    /** Of the rows up to this one, it included. */
    long upTo(Bytes row) {
        return bytesByRow.headMap(row, true).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /**
     * The row up to which, and after which, about half of the bytes lie: one inside of the range that is not its last, and
     * after which something lies. Empty where no such row leaves at least {@code leastShare} of the bytes on each side, as
     * with one giant row.
     */
    Optional<Bytes> middle(RowRange range, double leastShare) {
        Optional<Bytes> best = Optional.empty();
        long bestSide = 0;
        long before = 0;
        for (Map.Entry<Bytes, Long> entry : bytesByRow.entrySet()) {
            before += entry.getValue();
            long side = Math.min(before, total - before);
            if (side > bestSide && isInside(entry.getKey(), range)) {
                best = Optional.of(entry.getKey());
                bestSide = side;
            }
        }
        return bestSide >= total * leastShare ? best : Optional.empty();
    }

    /** Whether the range can be divided behind the row. */
    static boolean isInside(Bytes row, RowRange range) {
        return !row.isEmpty() && range.contains(row) && !range.end().equals(Optional.of(row.successor()));
    }
}
