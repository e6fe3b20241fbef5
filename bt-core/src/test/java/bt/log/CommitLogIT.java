package bt.log;

import static bt.log.LogFixture.STREAM;
import static bt.log.LogFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.fs.FileInfo;
import bt.fs.hadoop.HadoopFileStore;
import bt.testing.MiniHdfs;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log on a real HDFS, and what a datanode that hangs does to it. */
@Tag("alone")
class CommitLogIT {
    /** A loaded machine is slower than a hung pipeline may be; HDFS itself gives that up after twenty seconds. */
    private static final LogOptions OPTIONS = new LogOptions(64 << 20, 8_000, 60_000);

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final DataNodeFaultInjector before = DataNodeFaultInjector.get();
    private final String root = MiniHdfs.shared().freshRoot();
    private HadoopFileStore files;

    @BeforeEach
    void open() throws Exception {
        files = HadoopFileStore.open(root, Map.of(), scheduler);
        files.makeDirectory(STREAM.directory());
    }

    @AfterEach
    void close() {
        DataNodeFaultInjector.set(before);
        files.close();
        scheduler.close();
    }

    @Test
    void aPipelineThatHangsDelaysOneBatchAndLosesNone() throws Exception {
        CommitLog log = CommitLog.open(files, STREAM, OPTIONS, scheduler);
        List<LogRecord> written = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            written.add(put(i, "row", 100));
            log.write(LogBatch.of(List.of(written.get(i))), true);
            assertThat(log.settle()).isTrue();
        }
        HangingPipeline hang = new HangingPipeline(blockOf(STREAM.path(1)));
        DataNodeFaultInjector.set(hang);
        long begin = System.nanoTime();
        written.add(put(3, "row", 100));
        log.write(LogBatch.of(List.of(written.get(3))), true);
        assertThat(log.settle()).isFalse();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
                .isBetween(OPTIONS.syncMillis(), OPTIONS.settleMillis());
        assertThat(log.segment()).isEqualTo(2);
        // It still hangs.
        assertThat(hang.released.getCount()).isEqualTo(1);
        written.add(put(4, "row", 100));
        log.write(LogBatch.of(List.of(written.get(4))), true);
        assertThat(log.settle()).isTrue();
        hang.released.countDown();
        log.close();
        for (FileInfo segment : files.list(STREAM.directory())) {
            files.fence(STREAM.directory() + "/" + segment.name(), 60_000);
        }
        assertThat(LogFixture.readAll(files)).isEqualTo(written);
    }

    @Test
    void aPowerCutInTheMiddleOfAnAppendTakesNothingThatWasSynced() throws Exception {
        CommitLog log = CommitLog.open(files, STREAM, OPTIONS, scheduler);
        List<LogRecord> written = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            written.add(put(i, "row", 100));
            log.write(LogBatch.of(List.of(written.get(i))), true);
            assertThat(log.settle()).isTrue();
        }
        MiniHdfs.shared().tearOpenBlocks();
        log.abandon();
        for (FileInfo segment : files.list(STREAM.directory())) {
            files.fence(STREAM.directory() + "/" + segment.name(), 60_000);
        }
        assertThat(LogFixture.readAll(files)).isEqualTo(written);
    }

    private String blockOf(String path) throws IOException {
        return MiniHdfs.shared()
                .cluster()
                .getFileSystem()
                .getClient()
                .getLocatedBlocks(URI.create(root + "/" + path).getPath(), 0)
                .get(0)
                .getBlock()
                .getBlockName();
    }

    /** The datanodes' acknowledgements of one block stay away. */
    private static final class HangingPipeline extends DataNodeFaultInjector {
        private static final Pattern BLOCK = Pattern.compile("blk_\\d+");
        private static final long AT_MOST_SECONDS = 120;

        private final CountDownLatch released = new CountDownLatch(1);
        private final String block;

        private HangingPipeline(String block) {
            this.block = block;
        }

        @Override
        public void delaySendingAckToUpstream(String upstream) {
            Matcher name = BLOCK.matcher(Thread.currentThread().getName());
            if (name.find() && name.group().equals(block)) {
                try {
                    assertThat(released.await(AT_MOST_SECONDS, TimeUnit.SECONDS))
                            .isTrue();
                } catch (InterruptedException recovered) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
