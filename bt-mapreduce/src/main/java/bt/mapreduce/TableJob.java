package bt.mapreduce;

import bt.base.Bytes;
import bt.client.Scan;
import bt.mapreduce.input.CellInputFormat;
import bt.mapreduce.input.TableInput;
import bt.mapreduce.input.TableInputFormat;
import bt.mapreduce.output.MutationSerialization;
import bt.mapreduce.output.TableOutput;
import bt.mapreduce.output.TableOutputFormat;
import bt.model.Cell;
import bt.model.Row;
import bt.model.RowMutation;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Sets up a MapReduce job that reads or writes tables of a cluster, or both:
 *
 * <pre>{@code
 * Job job = Job.getInstance(configuration, "links");
 * TableJob.of(job, "zk://127.0.0.1:2181/main")
 *         .read("webtable", Scan.all().family("contents"), Links.class)
 *         .write("webtable");
 * job.setNumReduceTasks(0);
 * job.waitForCompletion(true);
 * }</pre>
 *
 * <p>One of the wrappers for MapReduce of section 3 of the paper. IOException where the jars to be shipped are not found.
 *
 * <p>Nodes of the Hadoop cluster need nothing of bt: the job ships bt's jars and those that bt needs, and its tasks load
 * them, and the classes of the job, before Hadoop's own versions of the same libraries ({@code mapreduce.job.classloader}).
 * See docs/mapreduce.md.
 */
public final class TableJob {
    private static final String SHIPPED_JARS = "tmpjars";

    private final Job job;
    private final String cluster;

    private TableJob(Job job, String cluster) {
        this.job = job;
        this.cluster = cluster;
    }

    /**
     * A job over a cluster; a job that reads one cluster and writes another has two of these.
     *
     * @param cluster as {@code bt.connect.Connect.to} takes it
     */
    public static TableJob of(Job job, String cluster) throws IOException {
        TableJob tables = new TableJob(job, cluster);
        tables.add(Jars.ofBigtable());
        // With a wildcard Hadoop names a directory of its own that stays empty when the jars lie where it can see them.
        job.getConfiguration().setBoolean(Job.USE_WILDCARD_FOR_LIBJARS, false);
        // Hadoop has older versions of Avro, ZooKeeper and Netty on the class path of every task, and needs them.
        job.getConfiguration().setBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, true);
        return tables;
    }

    /** Mappers get the rows that the scan finds, one tablet each; each is in a task's memory ({@link #readCells} has none there). */
    public TableJob read(String table, Scan scan, Class<? extends Mapper<Bytes, Row, ?, ?>> mapper) throws IOException {
        return read(table, scan, mapper, TableInputFormat.class);
    }

    /**
     * Mappers get the cells that the scan finds, one tablet each, with the keys of their rows: the cells of a row one after the
     * other, so rows may be larger than a task's memory.
     */
    public TableJob readCells(String table, Scan scan, Class<? extends Mapper<Bytes, Cell, ?, ?>> mapper)
            throws IOException {
        return read(table, scan, mapper, CellInputFormat.class);
    }

    private TableJob read(
            String table,
            Scan scan,
            Class<? extends Mapper<Bytes, ?, ?, ?>> mapper,
            Class<? extends InputFormat<Bytes, ?>> format)
            throws IOException {
        new TableInput(cluster, table, scan).writeTo(job.getConfiguration());
        job.setInputFormatClass(format);
        job.setMapperClass(mapper);
        return ship(mapper);
    }

    /**
     * What the last tasks emit is applied to a table: any key, which is ignored, and a {@link RowMutation}. Mutations may
     * travel from mappers to reducers too. Speculative execution is turned off: both attempts would write.
     */
    public TableJob write(String table) {
        Configuration configuration = job.getConfiguration();
        new TableOutput(cluster, table).writeTo(configuration);
        Set<String> serializations =
                new TreeSet<>(configuration.getStringCollection(CommonConfigurationKeysPublic.IO_SERIALIZATIONS_KEY));
        serializations.add(MutationSerialization.class.getName());
        configuration.setStrings(
                CommonConfigurationKeysPublic.IO_SERIALIZATIONS_KEY, serializations.toArray(String[]::new));
        job.setOutputFormatClass(TableOutputFormat.class);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(RowMutation.class);
        job.setSpeculativeExecution(false);
        return this;
    }

    /** Ships the jars of these classes with the job: of a reducer in another jar than the mapper, of a library. */
    public TableJob ship(Class<?>... classes) throws IOException {
        Set<String> jars = new TreeSet<>();
        for (Class<?> type : classes) {
            jars.add(Jars.of(type).toUri().toString());
        }
        add(jars);
        return this;
    }

    private void add(Set<String> jars) {
        Set<String> shipped = new TreeSet<>(job.getConfiguration().getStringCollection(SHIPPED_JARS));
        shipped.addAll(jars);
        job.getConfiguration().setStrings(SHIPPED_JARS, shipped.toArray(String[]::new));
    }
}
