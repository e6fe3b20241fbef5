package bt.mapreduce.input;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.model.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * The rows of a table for mappers: the row's key, and the row as the job's scan lets it pass. One split per tablet, at
 * the host that served it when the job began; a tablet that moved or split meanwhile is still read whole and once, because
 * a split names rows and not a tablet. {@code bt.mapreduce.TableJob.read} sets it up. One of the wrappers for MapReduce
 * of section 3 of the paper.
 */
public final class TableInputFormat extends InputFormat<Bytes, Row> {
    /** REJECTED: no such table. UNAVAILABLE: the cluster did not answer for a minute. */
    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
        TableInput input = TableInput.of(job.getConfiguration());
        try (Bigtable bigtable = input.open()) {
            return new ArrayList<>(Splits.of(
                    input.table(),
                    bigtable.table(input.table()).weighedTablets(),
                    input.scan().walk().rows()));
        }
    }

    @Override
    public RecordReader<Bytes, Row> createRecordReader(InputSplit split, TaskAttemptContext task) {
        return new TableRecordReader();
    }
}
