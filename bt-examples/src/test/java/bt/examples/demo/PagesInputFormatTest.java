package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PagesInputFormatTest {
    private static final Site SITE = Site.ALL.get(0);
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    private Path directory;

    @Test
    void splitsTogetherHaveEveryPageOnce() throws Exception {
        Map<String, String> entries = new LinkedHashMap<>();
        for (int i = 0; i < 40; i++) {
            entries.put("p" + i + ".html", "x".repeat(MEGABYTE + i));
            entries.put("p" + i + ".css", "no page");
        }
        List<InputSplit> splits = splits(entries, Integer.MAX_VALUE);
        assertThat(splits).hasSize(2);
        List<String> read = new ArrayList<>();
        for (InputSplit split : splits) {
            read.addAll(read(shipped(split)));
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            expected.add(SITE.url("p" + i + ".html") + " " + (MEGABYTE + i));
        }
        assertThat(read).containsExactlyElementsOf(expected);
    }

    @Test
    void aSampleIsTheFirstPages() throws Exception {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("a.html", "a");
        entries.put("b.html", "bb");
        entries.put("c.html", "ccc");
        List<InputSplit> splits = splits(entries, 2);
        assertThat(splits).hasSize(1);
        assertThat(read(splits.get(0))).containsExactly(SITE.url("a.html") + " 1", SITE.url("b.html") + " 2");
    }

    private List<InputSplit> splits(Map<String, String> entries, int sample) throws Exception {
        SiteJar jar = Jars.write(directory, SITE, entries);
        Job job = Job.getInstance(new Configuration(false));
        PagesInputFormat.read(
                job.getConfiguration(),
                List.of(new org.apache.hadoop.fs.Path(jar.jar().toUri())),
                sample);
        return new PagesInputFormat().getSplits(job);
    }

    private static InputSplit shipped(InputSplit split) throws Exception {
        DataOutputBuffer out = new DataOutputBuffer();
        ((PagesSplit) split).write(out);
        DataInputBuffer in = new DataInputBuffer();
        in.reset(out.getData(), out.getLength());
        PagesSplit arrived = new PagesSplit();
        arrived.readFields(in);
        return arrived;
    }

    private static List<String> read(InputSplit split) throws Exception {
        TaskAttemptContextImpl task = new TaskAttemptContextImpl(new Configuration(false), new TaskAttemptID());
        List<String> pages = new ArrayList<>();
        try (RecordReader<Text, BytesWritable> reader = new PagesInputFormat().createRecordReader(split, task)) {
            reader.initialize(split, task);
            while (reader.nextKeyValue()) {
                pages.add(
                        reader.getCurrentKey() + " " + reader.getCurrentValue().getLength());
            }
            assertThat(reader.getProgress()).isEqualTo(1);
        }
        return pages;
    }
}
