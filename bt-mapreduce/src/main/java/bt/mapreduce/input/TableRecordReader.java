package bt.mapreduce.input;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.model.Row;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/** A scanner over one split. One thread: the task's; {@link #getProgress} is asked from it too. */
public final class TableRecordReader extends RecordReader<Bytes, Row> {
    private @Nullable Reading reading;
    private @Nullable Row row;
    private boolean finished;

    TableRecordReader() {}

    @Override
    public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
        if (!(split instanceof TableSplit rows)) {
            throw new RejectedException(split.getClass().getName() + ": not a split of a table");
        }
        TableInput input = TableInput.of(task.getConfiguration());
        Bigtable bigtable = input.open();
        boolean open = false;
        try {
            Scan scan = input.scan().over(rows.rows());
            reading = new Reading(
                    bigtable,
                    bigtable.table(input.table()).scan(scan),
                    new RowProgress(rows.range()),
                    task.getCounter(InputCounter.ROWS),
                    task.getCounter(InputCounter.CELLS),
                    task.getCounter(InputCounter.CELLS_SEEN));
            open = true;
        } finally {
            if (!open) {
                bigtable.close();
            }
        }
    }

    @Override
    public boolean nextKeyValue() throws BigtableException {
        Optional<Row> next = requireNonNull(reading, "the split is not open").next();
        row = next.orElse(null);
        finished = next.isEmpty();
        return next.isPresent();
    }

    @Override
    public Bytes getCurrentKey() {
        return getCurrentValue().key();
    }

    @Override
    public Row getCurrentValue() {
        return requireNonNull(row, "no row was read");
    }

    @Override
    public float getProgress() {
        if (reading == null || row == null) {
            return finished ? 1 : 0;
        }
        return reading.progress().of(row.key());
    }

    @Override
    public void close() {
        if (reading != null) {
            reading.close();
            reading = null;
        }
    }

    /** What is open between initialize and close. */
    private record Reading(
            Bigtable bigtable, Scanner scanner, RowProgress progress, Counter rows, Counter cells, Counter cellsSeen) {
        Optional<Row> next() throws BigtableException {
            Optional<Row> next = scanner.next();
            cellsSeen.setValue(scanner.cellsSeen());
            if (next.isPresent()) {
                rows.increment(1);
                cells.increment(next.get().cells().size());
            }
            return next;
        }

        void close() {
            scanner.close();
            bigtable.close();
        }
    }
}
