package bt.mapreduce.output;

import bt.base.BigtableException;
import bt.client.BatchWriter;
import bt.client.Bigtable;
import bt.model.RowMutation;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The batch of one task. A mutation that the table refused fails the task, at a later one or at the end. */
final class TableRecordWriter<K> extends RecordWriter<K, RowMutation> {
    private final Bigtable bigtable;
    private final BatchWriter batch;
    private final Counter mutations;

    TableRecordWriter(Bigtable bigtable, BatchWriter batch, Counter mutations) {
        this.bigtable = bigtable;
        this.batch = batch;
        this.mutations = mutations;
    }

    @Override
    public void write(K ignored, RowMutation mutation) throws BigtableException {
        batch.add(mutation);
        mutations.increment(1);
    }

    @Override
    public void close(TaskAttemptContext task) throws BigtableException {
        try {
            batch.close();
        } finally {
            bigtable.close();
        }
    }
}
