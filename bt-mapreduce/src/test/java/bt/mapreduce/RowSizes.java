package bt.mapreduce;

import bt.base.Bytes;
import bt.client.Scan;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** How many bytes the values of each row have, however large it is. */
public final class RowSizes extends Mapper<Bytes, Cell, NullWritable, RowMutation> {
    private static final ColumnKey SIZE = ColumnKey.of("length", "");

    private Bytes row = Bytes.EMPTY;
    private long size;

    public static Job job(Configuration hadoop, String cluster) throws IOException {
        Job job = Job.getInstance(hadoop, "row sizes");
        TableJob.of(job, cluster)
                .readCells("large", Scan.all().family("contents"), RowSizes.class)
                .write("large");
        job.setNumReduceTasks(0);
        return job;
    }

    @Override
    protected void map(Bytes key, Cell cell, Context context) throws IOException, InterruptedException {
        if (!key.equals(row)) {
            endRow(context);
            row = key;
        }
        size += cell.value().length();
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        endRow(context);
    }

    private void endRow(Context context) throws IOException, InterruptedException {
        if (!row.isEmpty()) {
            Bytes sum = Bytes.utf8(Long.toString(size));
            context.write(
                    NullWritable.get(), RowMutation.of(row).set(SIZE, 1, sum).build());
        }
        size = 0;
    }
}
