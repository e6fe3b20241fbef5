package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Takes a file from its writer. The NameNode raises the block's generation, which shuts the writer out, and lets a datanode
 * agree with the others on the length; that comes with heartbeats, after two seconds or so, and may fail and be repeated.
 * Nobody may read before the NameNode calls the file closed, however long that takes.
 */
final class LeaseRecovery {
    private static final long POLL_MILLIS = 100;

    /** Asking again starts the recovery again, so not too soon; but one that was given to a dead datanode needs it. */
    private static final long ASK_AGAIN_MILLIS = 10_000;

    private final DistributedFileSystem files;
    private final Scheduler scheduler;

    LeaseRecovery(DistributedFileSystem files, Scheduler scheduler) {
        this.files = files;
        this.scheduler = scheduler;
    }

    void run(String path, Path file, long timeoutMillis) throws BigtableException, InterruptedException {
        long begin = nowMillis();
        long asked = begin - ASK_AGAIN_MILLIS;
        IOException lastFailure = null;
        while (true) {
            try {
                boolean ask = nowMillis() - asked >= ASK_AGAIN_MILLIS;
                if (ask) {
                    asked = nowMillis();
                }
                if (ask ? files.recoverLease(file) : files.isFileClosed(file)) {
                    return;
                }
            } catch (FileNotFoundException e) {
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

    private static BigtableException late(String path, long timeoutMillis, @Nullable IOException lastFailure) {
        UnavailableException late =
                new UnavailableException(path + ": still not closed after " + timeoutMillis + " ms; fence it again");
        return lastFailure == null ? late : late.causedBy(lastFailure);
    }

    private long nowMillis() {
        return scheduler.clock().nanos() / 1_000_000;
    }
}
