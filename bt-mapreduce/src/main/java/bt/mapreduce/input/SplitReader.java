package bt.mapreduce.input;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Table;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/** A scan of one split, record by record. One thread: the task's; {@link #getProgress} is asked from it too. */
abstract class SplitReader<V> extends RecordReader<Bytes, V> {
    private @Nullable Reading<V> reading;
    private @Nullable V record;
    private boolean finished;

    /** What a scan gives to a mapper, and the counters of the job are told. */
    interface Records<V> extends AutoCloseable {
        /** The next; empty after the last. */
        Optional<V> next() throws BigtableException;

        /** The row that it is, or is of. */
        Bytes row(V value);

        @Override
        void close();
    }

    abstract Records<V> open(Table table, Scan scan, TaskAttemptContext task) throws BigtableException;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
        if (!(split instanceof TableSplit rows)) {
            throw new RejectedException(
                    split.getClass().getName() + ": not a split of a table", "give it a split that TableInput made");
        }
        TableInput input = TableInput.of(task.getConfiguration());
        Bigtable bigtable = input.open();
        boolean open = false;
        try {
            Scan scan = input.scan().over(rows.rows());
            Records<V> records = open(bigtable.table(input.table()), scan, task);
            reading = new Reading<>(bigtable, records, new RowProgress(rows.range()));
            open = true;
        } finally {
            if (!open) {
                bigtable.close();
            }
        }
    }

    @Override
    public boolean nextKeyValue() throws BigtableException {
        Optional<V> next = opened().records().next();
        record = next.orElse(null);
        finished = next.isEmpty();
        return next.isPresent();
    }

    @Override
    public Bytes getCurrentKey() {
        return opened().records().row(getCurrentValue());
    }

    @Override
    public V getCurrentValue() {
        return requireNonNull(record, "nothing was read");
    }

    @Override
    public float getProgress() {
        if (reading == null || record == null) {
            return finished ? 1 : 0;
        }
        return reading.progress().of(getCurrentKey());
    }

    @Override
    public void close() {
        if (reading != null) {
            reading.records().close();
            reading.bigtable().close();
            reading = null;
        }
    }

    private Reading<V> opened() {
        return requireNonNull(reading, "the split is not open");
    }

    /** What is open between initialize and close. */
    private record Reading<V>(Bigtable bigtable, Records<V> records, RowProgress progress) {}
}
