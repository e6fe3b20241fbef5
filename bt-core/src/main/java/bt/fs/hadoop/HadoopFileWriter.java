package bt.fs.hadoop;

import static bt.base.Check.checkState;
import static org.apache.hadoop.hdfs.protocol.HdfsConstants.GRANDFATHER_INODE_ID;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The writer of one file, with an HDFS client of its own: so its lease is its own, and giving the file up, which HDFS
 * offers for a whole client only, touches no other file.
 */
final class HadoopFileWriter implements FileWriter {
    /** A class of the NameNode, not of its client. */
    private static final String LEASE_EXPIRED = "org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException";

    private final Target target;
    private final DistributedFileSystem client;
    private final HdfsDataOutputStream out;
    private final Datanodes datanodes;
    private final Pipeline pipeline;
    private final Replicas replicas;
    private final int wantedReplicas;
    private long position;
    private long synced;
    private boolean done;

    HadoopFileWriter(Target target, Stream stream, Datanodes datanodes, Replicas replicas) {
        this.target = target;
        this.client = stream.client;
        this.out = stream.out;
        this.datanodes = datanodes;
        this.pipeline = datanodes.watch();
        this.replicas = replicas;
        this.wantedReplicas = replicas.wanted(target.file);
    }

    /** What is written, by our name and by HDFS's, and how it is kept. */
    record Target(String path, Path file, Placement placement) {}

    /** HDFS's, of a client that is the writer's alone. */
    record Stream(DistributedFileSystem client, HdfsDataOutputStream out) {}

    @Override
    public String path() {
        return target.path;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void append(byte[] bytes, int offset, int length) throws BigtableException {
        run("append to", () -> out.write(bytes, offset, length));
        position += length;
        if (target.placement == Placement.DATA && position - synced >= Placement.DATA_AT_ONCE_BYTES) {
            sync();
        }
    }

    @Override
    public void flush() throws BigtableException {
        run("flush of", out::hflush);
        pipeline.see(out);
    }

    @Override
    public void sync() throws BigtableException {
        // Without UPDATE_LENGTH, which would ask the NameNode each time: nobody reads a file that is open.
        run("sync of", out::hsync);
        synced = position;
        pipeline.see(out);
    }

    @Override
    public void close() throws BigtableException {
        if (done) {
            return;
        }
        try {
            run("close of", out::close);
            if (target.placement == Placement.DATA) {
                replicas.await(target.path, target.file, position);
            }
        } finally {
            abandon();
        }
    }

    /** Datanodes that were lost from the pipeline are replaced when the next one is lost, if then. */
    @Override
    public boolean isThin() {
        try {
            return !done && out.getCurrentBlockReplication() < wantedReplicas;
        } catch (IOException closed) {
            return false;
        }
    }

    @Override
    public void abandon() {
        done = true;
        datanodes.forget(pipeline);
        client.getClient().closeAllFilesBeingWritten(true);
        try {
            client.close();
        } catch (IOException ignored) {
            // Whoever needs the file fences it.
        }
    }

    private void run(String what, Step step) throws BigtableException {
        checkState(!done, "%s %s, which was closed", what, target.path);
        pipeline.begin();
        try {
            step.run();
        } catch (IOException e) {
            throw isTaken(e)
                    ? new FencedException(target.path + ": the file was taken from its writer within " + position
                                    + " bytes; write no more")
                            .causedBy(e)
                    : HadoopErrors.of(target.path, e);
        } finally {
            pipeline.end();
        }
    }

    /**
     * A datanode that is told to recover the file merely breaks the connection. So where the failure itself does not say
     * that the lease is lost, the NameNode is asked, by a call that it answers only to the lease's holder.
     */
    private boolean isTaken(IOException failure) {
        if (saysTaken(failure)) {
            return true;
        }
        try {
            DFSClient dfs = client.getClient();
            dfs.getNamenode().fsync(target.file.toUri().getPath(), GRANDFATHER_INODE_ID, dfs.getClientName(), -1);
            return false;
        } catch (IOException refused) {
            return saysTaken(refused);
        }
    }

    /** No such file: it was deleted, or its directory renamed, which is how a dead server's log is taken away. */
    private static boolean saysTaken(IOException failure) {
        boolean leaseLost = failure instanceof RemoteException remote
                && remote.getClassName().equals(LEASE_EXPIRED);
        return leaseLost || HadoopErrors.unwrap(failure) instanceof FileNotFoundException;
    }

    private interface Step {
        void run() throws IOException;
    }
}
