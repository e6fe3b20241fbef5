package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Takes a file from its writer. The NameNode raises the block's generation, which shuts the writer out, and lets a datanode
 * agree with the others on the length. That one hears of it with its next heartbeat; if it dies before it is done, another is
 * told to only when thirty intervals of heartbeats ({@code dfs.heartbeat.interval}) are over, and somebody asks again. Nobody
 * may read before the NameNode calls the file closed, however long that takes.
 */
final class LeaseRecovery {
    private static final long POLL_MILLIS = 100;

    /**
     * While the NameNode waits for the datanode that it has told, asking again begins nothing; it is needed when that wait is
     * over, and where the NameNode was started anew, and knows of no recovery.
     */
    private static final long ASK_AGAIN_MILLIS = 10_000;

    private final DistributedFileSystem files;
    private final Scheduler scheduler;

    /** When the NameNode was last asked, by path: whoever only looks again and again must not begin it again and again. */
    private final Map<String, Long> asked = new ConcurrentHashMap<>();

    LeaseRecovery(DistributedFileSystem files, Scheduler scheduler) {
        this.files = files;
        this.scheduler = scheduler;
    }

    void run(String path, Path file, long timeoutMillis) throws BigtableException, InterruptedException {
        long begin = nowMillis();
        IOException lastFailure = null;
        while (true) {
            try {
                if (mustAsk(path) ? files.recoverLease(file) : files.isFileClosed(file)) {
                    asked.remove(path);
                    return;
                }
            } catch (FileNotFoundException e) {
                asked.remove(path);
                throw HadoopErrors.of(path, e);
            } catch (IOException e) {
                lastFailure = e;
            }
            if (nowMillis() - begin >= timeoutMillis) {
                throw late(path, timeoutMillis, lastFailure);
            }
            scheduler.pause(POLL_MILLIS);
        }
    }

    private boolean mustAsk(String path) {
        long now = nowMillis();
        asked.values().removeIf(before -> now - before >= ASK_AGAIN_MILLIS);
        return asked.putIfAbsent(path, now) == null;
    }

    private static BigtableException late(String path, long timeoutMillis, @Nullable IOException lastFailure) {
        String fact = timeoutMillis == 0 ? "not closed yet" : "still not closed after " + timeoutMillis + " ms";
        UnavailableException late = new UnavailableException(path + ": " + fact + "; fence it again");
        return lastFailure == null ? late : late.causedBy(lastFailure);
    }

    private long nowMillis() {
        return scheduler.clock().nanos() / 1_000_000;
    }
}
