package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.ThreadScheduler;
import bt.fs.hadoop.HadoopFileStore;
import bt.log.CommitLog;
import bt.log.LogOptions;
import bt.log.LogStream;
import bt.model.RowMutation;
import bt.model.TableSchema.Durability;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.testing.MiniHdfs;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a table's durability means to the disks of a real HDFS. */
@Tag("alone")
class CommitQueueIT {
    private static final int WRITES = 30;
    private static final int DATANODES = 3;

    private final MiniHdfs hdfs = MiniHdfs.shared();
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private HadoopFileStore files;
    private CommitQueue queue;

    @BeforeEach
    void open() throws Exception {
        files = HadoopFileStore.open(hdfs.freshRoot(), Map.of(), scheduler);
        LogStream stream = new LogStream(LogStream.LIVE, 7, LogStream.USER);
        files.makeDirectory(stream.directory());
        CommitLog log = CommitLog.open(files, stream, LogOptions.DEFAULT, scheduler);
        CommitHooks hooks = new CommitHooks() {
            @Override
            public void evaluateAgain(WriteEntry entry, HostedTablet tablet) {
                throw new AssertionError(entry);
            }

            @Override
            public void compact(HostedTablet tablet) {
                throw new AssertionError(tablet.id());
            }

            @Override
            public void compactForLog(HostedTablet tablet) {
                throw new AssertionError(tablet.id());
            }
        };
        queue = CommitQueue.start("commit", scheduler, log, 1 << 30, hooks, reason -> {
            throw new AssertionError(reason);
        });
    }

    @AfterEach
    void close() throws Exception {
        scheduler.await(queue.close(), 60_000);
        files.close();
        scheduler.close();
    }

    @Test
    void everyWriteOfATableWithSyncIsOnEveryDiskWhenItIsAnswered() throws Exception {
        HostedTablet tablet = host(4, Durability.SYNC);
        long before = hdfs.syncs();
        for (int i = 1; i <= WRITES; i++) {
            write(tablet, i);
            assertThat(hdfs.syncs()).isGreaterThanOrEqualTo(before + (long) i * DATANODES);
        }
    }

    @Test
    void aTableWithFlushIsBroughtToDiskOnceASecondAtMost() throws Exception {
        HostedTablet tablet = host(5, Durability.FLUSH);
        long before = hdfs.syncs();
        long begin = System.nanoTime();
        for (int i = 1; i <= WRITES; i++) {
            write(tablet, i);
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        assertThat(hdfs.syncs() - before).isLessThanOrEqualTo((seconds + 1) * DATANODES);
        await().atMost(Duration.ofSeconds(30)).until(() -> hdfs.syncs() - before >= DATANODES);
    }

    private void write(HostedTablet tablet, int number) throws Exception {
        CompletableFuture<WriteResult> answer = new CompletableFuture<>();
        RowMutation mutation = RowMutation.of("row").set("f", "q", "v" + number).build();
        Write write = new Write(mutation, new WriteId(tablet.id().tableId(), number, number), Optional.empty());
        long deadline = scheduler.clock().nanos() + TimeUnit.MINUTES.toNanos(1);
        queue.write(WriteEntry.of(new Caller("test", "", deadline), tablet.id().tableId(), write, answer::complete));
        assertThat(scheduler.await(answer, 60_000).failure()).isEmpty();
    }

    private HostedTablet host(long table, Durability durability) throws Exception {
        HostedTablet hosted = new TabletHost(scheduler, files, new SimScheduler(1)).host(table, durability, queue);
        scheduler.await(queue.adopt(hosted, new Outcomes()), 60_000);
        return hosted;
    }
}
