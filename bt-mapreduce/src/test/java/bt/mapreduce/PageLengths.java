package bt.mapreduce;

import bt.base.Bytes;
import bt.client.Scan;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Row;
import bt.model.RowMutation;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** The example of docs/mapreduce.md: writes the length of every page beside the page. */
public final class PageLengths extends Mapper<Bytes, Row, NullWritable, RowMutation> {
    private static final ColumnKey LENGTH = ColumnKey.of("length", "");

    /** A job without reducers: what the mapper emits goes to the table. */
    public static Job job(Configuration hadoop, String cluster) throws IOException {
        Job job = Job.getInstance(hadoop, "page lengths");
        TableJob.of(job, cluster)
                .read("webtable", Scan.all().family("contents"), PageLengths.class)
                .write("webtable");
        job.setNumReduceTasks(0);
        return job;
    }

    @Override
    protected void map(Bytes key, Row row, Context context) throws IOException, InterruptedException {
        Cell page = row.cells().get(0);
        Bytes length = Bytes.utf8(Integer.toString(page.value().length()));
        // The page's own timestamp: a task that runs again writes the same cell again.
        RowMutation mutation =
                RowMutation.of(key).set(LENGTH, page.timestamp(), length).build();
        context.write(NullWritable.get(), mutation);
    }
}
