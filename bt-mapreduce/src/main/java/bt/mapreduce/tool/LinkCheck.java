package bt.mapreduce.tool;

import bt.client.Scan;
import bt.mapreduce.TableJob;
import bt.model.ColumnKey;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/**
 * A job that checks linked lists: rows of a table name others in a column, by their whole key, and every row that is named has to be
 * there. Chains of random keys, each of which names one that was acknowledged before, so tell what a cluster has lost,
 * however many rows there are. The job writes nothing; {@link LinkCount} has its results.
 */
public final class LinkCheck {
    /** Counters of this group bear the names of missing rows, some of them, with how many name each. */
    public static final String MISSING_ROWS = "Missing rows";

    private static final String COLUMN = "bt.mapreduce.links.column";

    private LinkCheck() {}

    /**
     * The job, not yet submitted; it has one reducer unless told otherwise.
     *
     * @param cluster as {@code bt.connect.Connect.to} takes it
     * @param column whose newest value is the key of another row; a row without it, or with an empty one, names none
     */
    public static Job job(Configuration hadoop, String cluster, String table, ColumnKey column) throws IOException {
        Job job = Job.getInstance(hadoop, "links of " + table);
        job.getConfiguration().set(COLUMN, column.toString());
        // Or Hadoop warns of words that nobody can say to this job.
        job.getConfiguration().setBoolean(Job.USED_GENERIC_PARSER, true);
        TableJob.of(job, cluster).read(table, Scan.all(), LinkMapper.class);
        job.setReducerClass(LinkReducer.class);
        job.setMapOutputKeyClass(BytesWritable.class);
        job.setMapOutputValueClass(BytesWritable.class);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(NullWritable.class);
        job.setOutputFormatClass(NullOutputFormat.class);
        return job;
    }

    static ColumnKey column(Configuration job) {
        return ColumnKey.parse(job.get(COLUMN, ""));
    }

    /** Of a job that has succeeded. */
    static long count(Job job, LinkCount what) throws IOException {
        Counter counter = job.getCounters().findCounter(what);
        return counter.getValue();
    }
}
