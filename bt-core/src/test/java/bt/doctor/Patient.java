package bt.doctor;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Deadline;
import bt.client.Bigtable;
import bt.client.Table;
import bt.coord.LockService;
import bt.fs.FilePaths;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.TabletPlace;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Calls;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A simulated cluster with one table in three tablets, each with files, to break things in. */
final class Patient {
    static final TabletId FIRST = new TabletId(1, Optional.of(Bytes.utf8("h")));
    static final TabletId SECOND = new TabletId(1, Optional.of(Bytes.utf8("p")));
    static final TabletId LAST = new TabletId(1, Optional.empty());

    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    final SimCluster cluster;

    /** Who wrote what the table holds. */
    final Bigtable client;

    final FileStore files;
    final LockService locks;
    final MetadataTable metadata;
    private final Doctor.Ports ports;

    private Patient(SimCluster cluster, Bigtable client) {
        this.cluster = cluster;
        this.client = client;
        this.ports = cluster.ports();
        this.files = ports.files();
        this.locks = ports.locks();
        this.metadata = new MetadataTable(ports.network(), locks, ports.scheduler(), ports.random());
    }

    /** What a test does to it. */
    @FunctionalInterface
    interface Treatment {
        void apply(Patient patient) throws BigtableException, InterruptedException;
    }

    /** A master and two servers; what the table holds is in files. */
    static void treat(long seed, Treatment treatment) {
        SimCluster cluster = new SimCluster(seed, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofHours(2), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of(Bytes.utf8("h"), Bytes.utf8("p")));
                Table table = client.table("t");
                for (String row : List.of("a", "k", "z")) {
                    table.apply(
                            RowMutation.of(row).set("f", "q", "value of " + row).build());
                }
                client.admin().flush("t");
                treatment.apply(new Patient(cluster, client));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    Diagnosis examine() throws BigtableException, InterruptedException {
        return examine(DoctorConfig.DEFAULT);
    }

    Diagnosis examine(DoctorConfig config) throws BigtableException, InterruptedException {
        return new Doctor(config, ports).examine();
    }

    Diagnosis mend() throws BigtableException, InterruptedException {
        return mend(DoctorConfig.DEFAULT);
    }

    Diagnosis mend(DoctorConfig config) throws BigtableException, InterruptedException {
        return new Doctor(config, ports).mend();
    }

    /** Who would mend by itself what the test plants. */
    void crashMaster() throws BigtableException {
        cluster.crashActiveMaster();
    }

    void pause(Duration time) throws InterruptedException {
        cluster.scheduler().pause(time.toMillis());
    }

    MetadataRow row(TabletId id) throws BigtableException, InterruptedException {
        return metadata.read(id).orElseThrow();
    }

    FileReference file(TabletId id) throws BigtableException, InterruptedException {
        return row(id).state().getFiles().get(0);
    }

    /** Changes a tablet's row as nobody should. */
    void alter(TabletId id, UnaryOperator<TabletState> change) throws BigtableException, InterruptedException {
        MetadataRow row = row(id);
        metadata.replace(row, row.location(), change.apply(row.state()), "planted");
    }

    /** Makes a tablet's row unreadable: what is said twice in it is no longer the same. */
    void damage(TabletId id) throws BigtableException, InterruptedException {
        Bytes key = MetadataKeys.of(id);
        RowMutation mutation = RowMutation.of(key)
                .set(MetadataSchema.BEFORE_COLUMN, 1_000_000, Bytes.hex("00"))
                .build();
        TabletPlace place = metadata.locator().locate(TableSchema.METADATA_ID, key, Deadline.after(clock(), 10_000));
        Request.Mutate request = new Request.Mutate(
                TableSchema.METADATA_ID, List.of(new Write(mutation, new WriteId(5, 1, 1), Optional.empty())));
        new Calls(ports.network(), ports.scheduler(), 10_000)
                .mutate(place.address(), request, Deadline.after(clock(), 10_000));
    }

    private Clock clock() {
        return ports.scheduler().clock();
    }

    byte[] read(String path) throws BigtableException {
        try (FileReader file = files.open(path)) {
            byte[] bytes = new byte[(int) file.length()];
            file.readFully(0, bytes, 0, bytes.length);
            return bytes;
        }
    }

    void write(String path, int bytes) throws BigtableException {
        write(path, new byte[bytes]);
    }

    void write(String path, byte[] bytes) throws BigtableException {
        files.makeDirectory(FilePaths.parent(path));
        FileWriter writer = files.create(path, FileStore.Placement.DATA);
        writer.append(bytes, 0, bytes.length);
        writer.close();
    }
}
