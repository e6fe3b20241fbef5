package bt.mapreduce.input;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Row;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The rows of one split, whole. Of the wrappers for MapReduce of section 3 of the paper. */
public final class TableRecordReader extends SplitReader<Row> {
    TableRecordReader() {}

    @Override
    Records<Row> open(Table table, Scan scan, TaskAttemptContext task) throws BigtableException {
        return new Rows(
                table.scan(scan),
                task.getCounter(InputCounter.ROWS),
                task.getCounter(InputCounter.CELLS),
                task.getCounter(InputCounter.CELLS_SEEN));
    }

    private record Rows(Scanner scanner, Counter rows, Counter cells, Counter cellsSeen) implements Records<Row> {
        @Override
        public Optional<Row> next() throws BigtableException {
            Optional<Row> next = scanner.next();
            cellsSeen.setValue(scanner.cellsSeen());
            if (next.isPresent()) {
                rows.increment(1);
                cells.increment(next.get().cells().size());
            }
            return next;
        }

        @Override
        public Bytes row(Row row) {
            return row.key();
        }

        @Override
        public void close() {
            scanner.close();
        }
    }
}
