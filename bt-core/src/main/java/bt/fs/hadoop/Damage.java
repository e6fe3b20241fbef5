package bt.fs.hadoop;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;

/**
 * Tells a block that is damaged in all its replicas from one whose datanodes are away, for HDFS's client says of both that it
 * could not obtain the block. Any number of threads.
 */
final class Damage {
    /** A datanode that lives answers at once. */
    private static final int ANSWER_MILLIS = 2_000;

    private static final int BUFFER_BYTES = 4_096;

    private final DistributedFileSystem files;
    private final Configuration settings;

    Damage(DistributedFileSystem files, Configuration settings) {
        this.files = files;
        this.settings = new Configuration(settings);
        // Who is away is not waited for: otherwise a connection alone is tried for 10 to 20 s, in the thread of a read.
        this.settings.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        this.settings.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
        this.settings.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, ANSWER_MILLIS);
    }

    /**
     * Whether there is nobody left to wait for: all replicas that the file should have are there, their datanodes answer, and without
     * checksums the bytes can be read. A read with checksums that begins after that and fails has met damage. Of an erasure-coded
     * file it is never said; nor where the NameNode has been told of some damaged replicas and not of all, for of those it
     * does not say whether they are damaged or away.
     */
    boolean isAllThere(Path file, long position, int count) {
        try {
            String path = file.toUri().getPath();
            HdfsFileStatus status = files.getClient().getFileInfo(path);
            if (status == null || status.getErasureCodingPolicy() != null) {
                return false;
            }
            List<LocatedBlock> blocks =
                    files.getClient().getLocatedBlocks(path, position, count).getLocatedBlocks();
            for (LocatedBlock block : blocks) {
                if (block.getLocations().length < status.getReplication() || !allAnswer(block)) {
                    return false;
                }
            }
            read(path, false, position, new byte[count], 0, count);
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    /** With checksums, through a stream that has not failed before: what others have met at datanodes it does not know. */
    void read(Path file, long position, byte[] target, int offset, int count) throws IOException {
        read(file.toUri().getPath(), true, position, target, offset, count);
    }

    private void read(String path, boolean checked, long position, byte[] target, int offset, int count)
            throws IOException {
        try (DFSInputStream in = files.getClient().open(path, BUFFER_BYTES, checked)) {
            in.readFully(position, target, offset, count);
        }
    }

    private boolean allAnswer(LocatedBlock block) throws IOException {
        for (DatanodeInfo datanode : block.getLocations()) {
            ClientDatanodeProtocol proxy = DFSUtilClient.createClientDatanodeProtocolProxy(
                    datanode,
                    settings,
                    ANSWER_MILLIS,
                    files.getClient().getConf().isConnectToDnViaHostname(),
                    block);
            try {
                if (proxy.getReplicaVisibleLength(block.getBlock()) < block.getBlockSize()) {
                    return false;
                }
            } finally {
                RPC.stopProxy(proxy);
            }
        }
        return true;
    }
}
