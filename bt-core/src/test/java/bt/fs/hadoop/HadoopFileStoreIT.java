package bt.fs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.CorruptionException;
import bt.base.ThreadScheduler;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.testing.FileStoreContract;
import bt.testing.MiniHdfs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HadoopFileStoreIT extends FileStoreContract {
    private final MiniHdfs hdfs = MiniHdfs.shared();
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final String root = hdfs.freshRoot();
    private final List<HadoopFileStore> opened = new ArrayList<>();

    @Override
    protected List<FileStore> twoProcesses() throws BigtableException {
        return List.of(open(), open());
    }

    @AfterEach
    void close() {
        opened.forEach(HadoopFileStore::close);
        scheduler.close();
    }

    @Test
    void aSyncReachesEveryDiskAndAFlushNone() throws Exception {
        FileWriter writer = open().create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        long before = hdfs.syncs();
        writer.flush();
        assertThat(hdfs.syncs()).isEqualTo(before);
        writer.sync();
        assertThat(hdfs.syncs()).isGreaterThanOrEqualTo(before + 3);
        writer.close();
    }

    @Test
    void aClosedDataFileIsOnEveryDisk() throws Exception {
        long before = hdfs.syncs();
        write(open(), "a", 1000);
        assertThat(hdfs.syncs()).isGreaterThanOrEqualTo(before + 3);
    }

    @Test
    void aDataFileGoesToTheDisksWhileItIsWritten() throws Exception {
        long before = hdfs.syncs();
        FileWriter writer = open().create("a", Placement.DATA);
        byte[] piece = new byte[64 << 10];
        while (writer.position() < 3L * Placement.DATA_AT_ONCE_BYTES) {
            writer.append(piece, 0, piece.length);
        }
        assertThat(hdfs.syncs()).isGreaterThanOrEqualTo(before + 3 * 3);
        writer.close();
    }

    @Test
    void aLogIsReplicatedWhereItsDirectoryIsErasureCoded() throws Exception {
        DistributedFileSystem files = hdfs.cluster().getFileSystem();
        FileStore store = open();
        store.makeDirectory("coded");
        files.enableErasureCodingPolicy("XOR-2-1-1024k");
        files.setErasureCodingPolicy(new Path(root, "coded"), "XOR-2-1-1024k");
        try (FileWriter log = store.create("coded/log", Placement.LOG)) {
            log.append(new byte[10], 0, 10);
            log.sync();
        }
        // More than goes to the disks at once: what is erasure-coded cannot be synced before it is closed.
        write(store, "coded/data", Placement.DATA_AT_ONCE_BYTES + 10);
        assertThat(files.getErasureCodingPolicy(new Path(root, "coded/log"))).isNull();
        assertThat(files.getErasureCodingPolicy(new Path(root, "coded/data"))).isNotNull();
    }

    @Test
    void aWriterOutlivesOneOfThreeDatanodes() throws Exception {
        FileStore store = open();
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        writer.sync();
        assertThat(writer.isThin()).isFalse();
        DataNodeProperties stopped = hdfs.cluster().stopDataNode(0);
        try {
            writer.append(new byte[10], 0, 10);
            writer.sync();
            assertThat(writer.isThin()).isFalse();
            writer.close();
            assertThat(content(store, "a").length()).isEqualTo(20);
        } finally {
            hdfs.cluster().restartDataNode(stopped);
            hdfs.cluster().waitActive();
        }
    }

    @Test
    void aFileThatOneDatanodeAloneHasIsThin() throws Exception {
        FileStore store = open();
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        writer.sync();
        List<DataNodeProperties> stopped =
                List.of(hdfs.cluster().stopDataNode(0), hdfs.cluster().stopDataNode(0));
        try {
            writer.append(new byte[10], 0, 10);
            writer.sync();
            assertThat(writer.isThin()).isTrue();
        } finally {
            for (DataNodeProperties datanode : stopped) {
                hdfs.cluster().restartDataNode(datanode);
            }
            hdfs.cluster().waitActive();
        }
        // It stays so while it is open.
        writer.append(new byte[10], 0, 10);
        writer.sync();
        assertThat(writer.isThin()).isTrue();
        writer.close();
        assertThat(writer.isThin()).isFalse();
        assertThat(store.create("b", Placement.LOG).isThin()).isFalse();
    }

    /** What {@link FileWriter#CHUNK_BYTES} is for. */
    @Test
    void aTornAppendTakesTheChunkThatItBeganInAndNoMore() throws Exception {
        FileStore store = open();
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[FileWriter.CHUNK_BYTES + 200], 0, FileWriter.CHUNK_BYTES + 200);
        writer.sync();
        hdfs.tearOpenBlocks();
        assertThat(store.fence("a", 60_000)).isEqualTo(FileWriter.CHUNK_BYTES);
    }

    @Test
    void whatOneDatanodeAloneHasIsNotSafe() throws Exception {
        FileStore store = open();
        write(store, "safe", 10);
        List<DataNodeProperties> stopped =
                List.of(hdfs.cluster().stopDataNode(0), hdfs.cluster().stopDataNode(0));
        DistributedFileSystem files = hdfs.cluster().getFileSystem();
        Replicas replicas = new Replicas(files, scheduler, 1_000);
        try {
            try (FSDataOutputStream alone = files.create(new Path(root, "alone"))) {
                alone.write(new byte[10]);
            }
            replicas.await("safe", new Path(root, "safe"), 10);
            assertFails(Kind.UNAVAILABLE, () -> replicas.await("alone", new Path(root, "alone"), 10));
        } finally {
            for (DataNodeProperties datanode : stopped) {
                hdfs.cluster().restartDataNode(datanode);
            }
            hdfs.cluster().waitActive();
        }
    }

    /** HDFS's client says the same of both: it could not obtain the block. */
    @Test
    void whatIsDamagedInAllReplicasIsCorruptionAndWhatMayComeBackIsNot() throws Exception {
        FileStore store = open();
        write(store, "a", 100_000);
        // Of one that is read in between the NameNode may learn of some replicas, and then names only the others.
        damage("a", 0, 1, 2);
        assertThatThrownBy(() -> content(store, "a"))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("a at 0");

        write(store, "b", 100_000);
        damage("b", 0, 1);
        DataNodeProperties stopped = hdfs.cluster().stopDataNode(2);
        try {
            assertFails(Kind.UNAVAILABLE, () -> content(store, "b"));
        } finally {
            hdfs.cluster().restartDataNode(stopped);
            hdfs.cluster().waitActive();
        }
        assertThat(content(store, "b").length()).isEqualTo(100_000);

        write(store, "c", 100_000);
        damage("c", 0, 1);
        assertThat(content(store, "c").length()).as("of the third replica").isEqualTo(100_000);
    }

    /** The file's only block, at these datanodes of those that run. */
    private void damage(String path, int... datanodes) throws Exception {
        ExtendedBlock block = DFSTestUtil.getFirstBlock(hdfs.cluster().getFileSystem(), new Path(root, path));
        for (int datanode : datanodes) {
            hdfs.cluster().getMaterializedReplica(datanode, block).corruptData();
        }
    }

    @Test
    void abandoningAFileLeavesTheOthersOfItsProcess() throws Exception {
        FileStore store = open();
        FileWriter kept = store.create("kept", Placement.LOG);
        FileWriter given = store.create("given", Placement.LOG);
        given.append(new byte[10], 0, 10);
        given.abandon();
        kept.append(new byte[10], 0, 10);
        kept.close();
        assertThat(content(store, "kept").length()).isEqualTo(10);
        assertFails(Kind.UNAVAILABLE, () -> store.open("given"));
    }

    @Test
    void aFenceThatIsNotDoneInTimeSaysSoAndMayBeRepeated() throws Exception {
        FileStore store = open();
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        writer.sync();
        assertFails(Kind.UNAVAILABLE, () -> store.fence("a", 0));
        assertThat(store.fence("a", 60_000)).isEqualTo(10);
    }

    @Test
    void theHostsAreThoseOfTheDatanodes() throws Exception {
        FileStore store = open();
        write(store, "a", 10);
        assertThat(store.hosts("a")).containsExactly("127.0.0.1");
    }

    private HadoopFileStore open() throws BigtableException {
        HadoopFileStore store = HadoopFileStore.open(root, Map.of(), scheduler);
        opened.add(store);
        return store;
    }
}
