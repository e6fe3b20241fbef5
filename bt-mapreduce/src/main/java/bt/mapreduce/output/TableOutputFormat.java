package bt.mapreduce.output;

import bt.client.Bigtable;
import bt.model.RowMutation;
import java.io.IOException;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.OutputFormat;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Applies the mutations that a job's last tasks emit (one of the wrappers for MapReduce of section 3 of the paper); keys
 * are ignored. A mutation is in the table as soon as a server has it: nothing waits for the end of the task or the job, and nothing is taken back. A task succeeds only when all its
 * mutations are acknowledged. A task attempt that is run again applies all of its mutations again, after those that the
 * attempt before it got through:
 *
 * <ul>
 *   <li>cells with timestamps of the job's own are the same cells as before: nothing changes;
 *   <li>cells at the server's time become another version; a column that keeps one version shows no difference;
 *   <li>a deletion deletes again, and with it what others wrote to those columns between the two attempts.
 * </ul>
 *
 * <p>So a job whose output must not depend on failures sets its timestamps, and deletes nothing that others write.
 */
public final class TableOutputFormat<K> extends OutputFormat<K, RowMutation> {
    /** REJECTED: no such table. UNAVAILABLE: the cluster did not answer for a minute. */
    @Override
    public void checkOutputSpecs(JobContext job) throws IOException {
        TableOutput output = TableOutput.of(job.getConfiguration());
        try (Bigtable bigtable = output.open()) {
            bigtable.table(output.table());
        }
    }

    @Override
    public RecordWriter<K, RowMutation> getRecordWriter(TaskAttemptContext task) throws IOException {
        TableOutput output = TableOutput.of(task.getConfiguration());
        Bigtable bigtable = output.open();
        boolean open = false;
        try {
            RecordWriter<K, RowMutation> writer = new TableRecordWriter<>(
                    bigtable, bigtable.table(output.table()).batch(), task.getCounter(OutputCounter.MUTATIONS));
            open = true;
            return writer;
        } finally {
            if (!open) {
                bigtable.close();
            }
        }
    }

    @Override
    public OutputCommitter getOutputCommitter(TaskAttemptContext task) {
        return new NothingToCommit();
    }
}
