package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.ThreadScheduler;
import bt.fs.FileStore;
import bt.fs.hadoop.HadoopFileStore;
import bt.testing.MiniHdfs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FsDatasetTestUtils.MaterializedReplica;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HDFS gives what it has no checksums for as it lies on disk, and tells nobody: a look-up finds the damage by its own. */
class UnverifiedReplicasIT {
    private static final int ROWS = 300;
    private static final int VALUE_BYTES = 1_000;

    private final MiniHdfs hdfs = MiniHdfs.shared();
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final String root = hdfs.freshRoot();
    private final List<HadoopFileStore> opened = new ArrayList<>();
    private final SpareCursors spares = new SpareCursors();

    @AfterEach
    void close() {
        opened.forEach(HadoopFileStore::close);
        scheduler.close();
    }

    @Test
    void ofAFileThatWasWrittenWithoutChecksums() throws Exception {
        write(open(Map.of("dfs.checksum.type", "NULL")));
        assertALookUpFindsDamage();
    }

    @Test
    void ofReplicasThatHaveLostTheirChecksums() throws Exception {
        write(open(Map.of()));
        for (MaterializedReplica replica : replicas()) {
            replica.deleteMeta();
        }
        assertALookUpFindsDamage();
    }

    private void assertALookUpFindsDamage() throws Exception {
        FileStore reader = open(Map.of());
        assertThat(lookUp(reader)).isEqualTo(value());
        byte[] damaged = SSTables.bytes(reader);
        // Within the value of the first row.
        damaged[VALUE_BYTES / 2] ^= 1;
        for (MaterializedReplica replica : replicas()) {
            replica.corruptData(damaged);
        }
        assertThat(SSTables.bytes(reader)).as("what HDFS gives").isEqualTo(damaged);
        assertThatThrownBy(() -> lookUp(reader))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("block crc");
    }

    private Bytes lookUp(FileStore store) throws BigtableException {
        try (SSTable table = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            Cursor cursor = spares.cells(table, key(0), FilterHash.of(key(0)));
            assertThat(cursor.seek(key(0))).isTrue();
            Bytes found = cursor.value().toBytes();
            spares.takeBack();
            return found;
        }
    }

    private List<MaterializedReplica> replicas() throws IOException {
        ExtendedBlock block = DFSTestUtil.getFirstBlock(hdfs.cluster().getFileSystem(), new Path(root, SSTables.PATH));
        List<MaterializedReplica> replicas = new ArrayList<>();
        for (int datanode = 0; datanode < hdfs.cluster().getDataNodes().size(); datanode++) {
            replicas.add(hdfs.cluster().getMaterializedReplica(datanode, block));
        }
        return replicas;
    }

    private static void write(FileStore store) throws BigtableException {
        TreeMap<Bytes, Bytes> cells = new TreeMap<>();
        for (int row = 0; row < ROWS; row++) {
            cells.put(key(row), value());
        }
        store.makeDirectory("data/7/1");
        SSTables.write(store, SSTables.options(16 << 10, "none"), cells, new TreeMap<>());
    }

    private static Bytes key(int row) {
        return Bytes.utf8("row%06d/".formatted(row));
    }

    private static Bytes value() {
        return Bytes.wrap(new byte[VALUE_BYTES]);
    }

    private HadoopFileStore open(Map<String, String> settings) throws BigtableException {
        HadoopFileStore store = HadoopFileStore.open(root, settings, scheduler);
        opened.add(store);
        return store;
    }
}
