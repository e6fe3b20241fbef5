package bt.examples.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Pages of jars in HDFS for mappers: the page's address and its bytes. */
public final class PagesInputFormat extends InputFormat<Text, BytesWritable> {
    static final String SAMPLE = "bt.demo.sample";

    private static final String JARS = "bt.demo.jars";
    private static final long SPLIT_BYTES = 32 << 20;

    /** The jars, of each of which so many pages are taken at most. */
    static void read(Configuration job, List<Path> jars, int sample) {
        job.setStrings(JARS, jars.stream().map(Path::toString).toArray(String[]::new));
        job.setInt(SAMPLE, sample);
    }

    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
        List<InputSplit> splits = new ArrayList<>();
        for (String jar : job.getConfiguration().getStrings(JARS, new String[0])) {
            split(jar, job.getConfiguration(), splits);
        }
        return splits;
    }

    @Override
    public RecordReader<Text, BytesWritable> createRecordReader(InputSplit split, TaskAttemptContext task) {
        return new PagesReader();
    }

    /** Reads the jar once: where a page lies in it shows only when those before it are read. */
    private static void split(String jar, Configuration job, List<InputSplit> splits) throws IOException {
        Path path = new Path(jar);
        try (JarPages pages = new JarPages(path.getFileSystem(job).open(path), job.getInt(SAMPLE, 0))) {
            int first = 0;
            int count = 0;
            long bytes = 0;
            while (pages.next()) {
                count++;
                bytes += pages.html().length;
                if (bytes >= SPLIT_BYTES) {
                    splits.add(new PagesSplit(jar, first, count, bytes));
                    first += count;
                    count = 0;
                    bytes = 0;
                }
            }
            if (count > 0) {
                splits.add(new PagesSplit(jar, first, count, bytes));
            }
        }
    }
}
