package bt.mapreduce.input;

import bt.base.Bytes;
import bt.model.Cell;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * The cells of a table for mappers, each with the key of its row: for rows that are larger than a task's memory. The cells of a
 * row come one after the other, in their order and in one task. Splits are those of {@link TableInputFormat}. {@code
 * bt.mapreduce.TableJob.readCells} sets it up. One of the wrappers for MapReduce of section 3 of the paper.
 */
public final class CellInputFormat extends InputFormat<Bytes, Cell> {
    /** As {@link TableInputFormat#getSplits}. */
    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
        return new TableInputFormat().getSplits(job);
    }

    @Override
    public RecordReader<Bytes, Cell> createRecordReader(InputSplit split, TaskAttemptContext task) {
        return new CellRecordReader();
    }
}
