package bt.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDFS as the clusters of this package have it. */
class HdfsIT {
    @TempDir
    private java.nio.file.Path directory;

    /** Hadoop's own heartbeats, of three seconds, would have each file but the first wait for nearly as long. */
    @Test
    void aFileIsTakenFromItsWriterWithAHeartbeatThatComesEachSecond() throws Exception {
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            Hdfs hdfs = Hdfs.start(Workplace.make(directory), scheduler, 1, false, Layout.SHORT_LIVED);
            try (DistributedFileSystem writer = hdfs.client();
                    DistributedFileSystem taker = hdfs.client()) {
                // From here on each begins right behind a heartbeat, and waits for a whole interval.
                millisToTake(new Path("/first"), writer, taker);
                List<Long> millis = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    millis.add(millisToTake(new Path("/file-" + i), writer, taker));
                }
                assertThat(Collections.min(millis)).as("of %s", millis).isLessThan(2_000);
            } finally {
                hdfs.kill();
            }
        }
    }

    private static long millisToTake(Path file, DistributedFileSystem writer, DistributedFileSystem taker)
            throws Exception {
        FSDataOutputStream open = writer.create(file);
        open.write(1);
        open.hflush();
        long begun = System.nanoTime();
        taker.recoverLease(file);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> taker.isFileClosed(file));
        return Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }
}
