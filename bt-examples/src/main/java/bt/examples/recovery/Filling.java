package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.BatchWriter;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Rows of a thousand bytes, of which about a half compresses away, spread evenly over some tablets; each value follows from its row.
 */
record Filling(List<String> prefixes, long bytes) {
    private static final ColumnKey COLUMN = ColumnKey.of(TrialTable.FAMILY, "filling");
    private static final int VALUE_BYTES = 1_000;
    private static final String MARK = "/filling/";

    static Filling none() {
        return new Filling(List.of(), 0);
    }

    private long rows() {
        return bytes / VALUE_BYTES;
    }

    void write(Table table) throws BigtableException {
        try (BatchWriter batch = table.batch()) {
            for (long i = 0; i < rows(); i++) {
                batch.add(RowMutation.of(row(i)).set(COLUMN, 1, value(i)).build());
            }
        }
    }

    /** How many rows are missing, or have another value. */
    long lostWrites(Table table) throws BigtableException {
        long right = 0;
        for (String prefix : prefixes) {
            String marked = prefix + MARK;
            try (Scanner scanner = table.scan(Scan.of(RowRange.prefix(Bytes.utf8(marked))))) {
                for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                    long number = Long.parseLong(row.get().key().toUtf8().substring(marked.length()));
                    right += row.get().value(COLUMN).equals(Optional.of(value(number))) ? 1 : 0;
                }
            }
        }
        return rows() - right;
    }

    private String row(long number) {
        return prefixes.get((int) (number % prefixes.size())) + MARK + String.format("%010d", number);
    }

    private static Bytes value(long number) {
        byte[] value = new byte[VALUE_BYTES];
        byte[] random = new byte[VALUE_BYTES / 2];
        new SplittableRandom(number).nextBytes(random);
        System.arraycopy(random, 0, value, 0, random.length);
        return Bytes.wrap(value);
    }
}
