package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * How many datanodes have what counts. HDFS completes a file as soon as one of them has it, and brings it to others when it
 * gets to that; until then one disk decides whether it is there.
 */
final class Replicas {
    /** One alone may be lost with its disk. Where the file system is asked for fewer, that is its operator's choice. */
    private static final int SAFE = 2;

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long MAX_PAUSE_MILLIS = 500;

    private final DistributedFileSystem files;
    private final Scheduler scheduler;
    private final long patienceMillis;

    Replicas(DistributedFileSystem files, Scheduler scheduler, long patienceMillis) {
        this.files = files;
        this.scheduler = scheduler;
        this.patienceMillis = patienceMillis;
    }

    /** As many as make a file safe. */
    int wanted(Path file) {
        return Math.min(SAFE, files.getDefaultReplication(file));
    }

    /** Returns when every block of a closed file has as many. */
    void await(String path, Path file, long length) throws BigtableException {
        int wanted = wanted(file);
        long begin = scheduler.clock().nanos();
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, MAX_PAUSE_MILLIS)) {
            int fewest = fewest(path, file, length);
            if (fewest >= wanted) {
                return;
            }
            if (scheduler.clock().nanos() - begin > patienceMillis * 1_000_000) {
                throw new UnavailableException(path + ": " + fewest + " datanodes have all of it, " + wanted
                        + " must; look how many live and have room, or have dfs.replication be 1");
            }
            pause(path, pause);
        }
    }

    private int fewest(String path, Path file, long length) throws BigtableException {
        try {
            return Stream.of(files.getFileBlockLocations(file, 0, length))
                    .mapToInt(block -> block.getStorageIds().length)
                    .min()
                    .orElse(Integer.MAX_VALUE);
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    private void pause(String path, long millis) throws UnavailableException {
        try {
            scheduler.pause(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(path + ": interrupted while waiting for a second datanode to have it");
        }
    }
}
