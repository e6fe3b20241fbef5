package bt.examples.demo;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/** Reads the pages of a split. */
final class PagesReader extends RecordReader<Text, BytesWritable> {
    private final Text url = new Text();
    private final BytesWritable html = new BytesWritable();
    private @Nullable JarPages pages;
    private @Nullable Site site;
    private int count;
    private int read;

    @Override
    public void initialize(InputSplit input, TaskAttemptContext task) throws IOException {
        PagesSplit split = (PagesSplit) input;
        Path jar = new Path(split.jar());
        site = siteOf(jar);
        count = split.count();
        JarPages all =
                new JarPages(jar.getFileSystem(task.getConfiguration()).open(jar), split.first() + split.count());
        pages = all;
        for (int skipped = 0; skipped < split.first(); skipped++) {
            all.next();
        }
    }

    @Override
    public boolean nextKeyValue() throws IOException {
        JarPages from = pages;
        Site of = site;
        if (from == null || of == null || !from.next()) {
            return false;
        }
        read++;
        byte[] content = from.html();
        url.set(of.url(from.path()));
        html.set(content, 0, content.length);
        return true;
    }

    @Override
    public Text getCurrentKey() {
        return url;
    }

    @Override
    public BytesWritable getCurrentValue() {
        return html;
    }

    @Override
    public float getProgress() {
        return count == 0 ? 1 : (float) read / count;
    }

    @Override
    public void close() throws IOException {
        JarPages open = pages;
        if (open != null) {
            open.close();
        }
    }

    private static Site siteOf(Path jar) throws FileNotFoundException {
        return Site.ALL.stream()
                .filter(candidate -> candidate.fileName().equals(jar.getName()))
                .findFirst()
                .orElseThrow(() -> new FileNotFoundException(jar + " is of no site of the crawl"));
    }
}
