package bt.fs.hadoop;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

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
        long begin = scheduler.clock().nanos();
        for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, MAX_PAUSE_MILLIS)) {
            int spare = spare(path, file, length);
            if (spare >= 0) {
                return;
            }
            if (scheduler.clock().nanos() - begin > patienceMillis * 1_000_000) {
                throw new UnavailableException(path + ": " + -spare
                        + " datanodes too few have all of it; have more"
                        + " live and with room, or set dfs.replication to 1 in the hdfs-site.xml that bt reads");
            }
            pause(path, pause);
        }
    }

    /** What the block that is worst off has more than it must: negative while it has too few. */
    private int spare(String path, Path file, long length) throws BigtableException {
        try {
            int wanted = wanted(file);
            int spare = Integer.MAX_VALUE;
            for (BlockLocation block : files.getFileBlockLocations(file, 0, length)) {
                int needed =
                        block.isStriped() ? neededOf(block.getLength(), files.getErasureCodingPolicy(file)) : wanted;
                spare = Math.min(spare, block.getStorageIds().length - needed);
            }
            return spare;
        } catch (IOException e) {
            throw HadoopErrors.of(path, e);
        }
    }

    /** As many as its cells of data are on, and one that may be lost. */
    private static int neededOf(long bytes, ErasureCodingPolicy policy) {
        long cells = (bytes + policy.getCellSize() - 1) / policy.getCellSize();
        return (int) Math.min(policy.getNumDataUnits(), cells) + 1;
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
