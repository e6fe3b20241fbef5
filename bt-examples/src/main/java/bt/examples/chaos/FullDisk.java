package bt.examples.chaos;

import bt.examples.cluster.Hdfs;
import bt.examples.cluster.Seat;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * No byte more can be written to HDFS: the disks of all datanodes are full, where they are file systems in memory of their own, which the
 * machine must let us mount; else the space quota of the cluster's directory is reached.
 */
final class FullDisk implements Fault {
    private boolean shrunk;

    @Override
    public String begin(Stage stage, Strike strike) throws IOException, InterruptedException {
        Hdfs hdfs = stage.cluster().hdfs();
        if (hdfs.hasOwnDisks()) {
            shrunk = true;
            hdfs.fillDisks();
            return "the disk of every datanode is full (tmpfs)";
        }
        try (DistributedFileSystem files = hdfs.client()) {
            long taken = files.getContentSummary(root(stage)).getSpaceConsumed();
            files.setQuota(root(stage), HdfsConstants.QUOTA_DONT_SET, Math.max(1, taken));
        }
        return "the space quota of HDFS is reached";
    }

    @Override
    public void end(Stage stage) throws IOException, InterruptedException {
        Hdfs hdfs = stage.cluster().hdfs();
        if (shrunk) {
            hdfs.freeDisks();
            // A packet that a full disk took half of leaves a datanode with a block that is longer than it thinks,
            // which it can
            // never recover: it looks at its blocks again when it starts.
            for (Seat datanode : hdfs.datanodes()) {
                datanode.kill();
                datanode.startAgain();
            }
        } else {
            try (DistributedFileSystem files = hdfs.client()) {
                files.setQuota(root(stage), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
            }
        }
    }

    private static Path root(Stage stage) {
        return new Path(stage.cluster().root());
    }
}
