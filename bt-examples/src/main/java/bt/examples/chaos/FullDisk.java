package bt.examples.chaos;

import bt.examples.cluster.Hdfs;
import bt.examples.cluster.Seat;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * No byte more can be written to HDFS: the disks of all datanodes are full, where they are file systems in memory of their own, which the
 * machine must let us mount; else the space quota of the cluster's directory is reached.
 */
final class FullDisk implements Fault {
    private boolean shrunk;
    private boolean quotaSet;
    private @Nullable Watch refused;

    @Override
    public String begin(Stage stage, Strike strike) throws IOException, InterruptedException {
        Hdfs hdfs = stage.cluster().hdfs();
        if (hdfs.hasOwnDisks()) {
            shrunk = true;
            hdfs.fillDisks();
            Path probe = new Path(hdfs.uri() + "/room");
            // Where the NameNode knows that there is no room it gives nobody a block, and nobody takes what is left.
            refused = Watch.start(
                    "full disks",
                    stage.scheduler(),
                    () -> hdfs.hasFullDisk() || (hdfs.hasNoRoom() && isRefused(hdfs, probe)));
            return "the disk of every datanode is full (tmpfs)";
        }
        try (DistributedFileSystem files = hdfs.client()) {
            long taken = files.getContentSummary(root(stage)).getSpaceConsumed();
            // Before it is: what fails after it was asked for may have been done.
            quotaSet = true;
            files.setQuota(root(stage), HdfsConstants.QUOTA_DONT_SET, Math.max(1, taken));
        }
        Path probe = new Path(stage.cluster().root() + "/room");
        refused = Watch.start("the space quota", stage.scheduler(), () -> isRefused(hdfs, probe));
        return "the space quota of HDFS is reached";
    }

    /** Whether a file of our own has no room: then none of the servers' has, whether or not one of them asks for any. */
    private static boolean isRefused(Hdfs hdfs, Path probe) throws IOException {
        try (DistributedFileSystem files = hdfs.client()) {
            try (OutputStream out = files.create(probe)) {
                out.write(0);
            } catch (RemoteException | QuotaExceededException full) {
                return true;
            } finally {
                boolean unused = files.delete(probe, false);
            }
        }
        return false;
    }

    /**
     * Not a page is left of a disk, though there were some: somebody was refused the next. Or the NameNode, or for a quota it alone,
     * has refused us.
     */
    @Override
    public boolean isFelt(Stage stage) {
        return refused != null && refused.hasSeen();
    }

    @Override
    public void end(Stage stage) throws IOException, InterruptedException {
        if (refused != null) {
            refused.end();
        }
        if (shrunk) {
            Hdfs hdfs = stage.cluster().hdfs();
            hdfs.freeDisks();
            // A packet that a full disk took half of leaves a datanode with a block that is longer than it thinks,
            // which it can never recover: it looks at its blocks again when it starts.
            for (Seat datanode : hdfs.datanodes()) {
                datanode.kill();
                datanode.startAgain();
            }
        }
        if (quotaSet) {
            try (DistributedFileSystem files = stage.cluster().hdfs().client()) {
                files.setQuota(root(stage), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
            }
        }
    }

    private static Path root(Stage stage) {
        return new Path(stage.cluster().root());
    }
}
