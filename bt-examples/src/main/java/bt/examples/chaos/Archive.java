package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A table that is written once and lies in one file; each value follows from its row. Any thread. */
final class Archive {
    static final String TABLE = "archive";
    private static final ColumnKey COLUMN = ColumnKey.of(Register.FAMILY, "page");
    private static final int ROWS = 200;
    private static final int VALUE_BYTES = 1_000;

    private Archive() {}

    static void create(Bigtable bigtable) throws BigtableException {
        bigtable.admin().createTable(draft(), List.of());
        fill(bigtable.table(TABLE));
        bigtable.admin().flush(TABLE);
    }

    static TableSchema draft() {
        return TableSchema.draft(TABLE).family(Register.FAMILY, GcRule.KEEP_ALL).build();
    }

    static void fill(Table table) throws BigtableException {
        for (int i = 0; i < ROWS; i++) {
            table.apply(RowMutation.of(row(i)).set(COLUMN, 1, value(i)).build());
        }
    }

    /** What is wrong with what is read; empty if nothing is. CORRUPTION where that is what is told. */
    static Optional<String> read(Bigtable bigtable) throws BigtableException {
        int found = 0;
        try (Scanner scanner = bigtable.table(TABLE).scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                if (!row.get().key().toUtf8().equals(row(found))
                        || !row.get().value(COLUMN).equals(Optional.of(value(found)))) {
                    return Optional.of(TABLE + " row " + row.get().key() + " is not as it was written");
                }
                found++;
            }
        }
        return found == ROWS ? Optional.empty() : Optional.of(TABLE + " has " + found + " rows of " + ROWS);
    }

    private static String row(int number) {
        return String.format("page-%05d", number);
    }

    private static Bytes value(int number) {
        byte[] value = new byte[VALUE_BYTES];
        new SplittableRandom(number).nextBytes(value);
        return Bytes.wrap(value);
    }
}
