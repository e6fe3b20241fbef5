package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Crc32c;
import bt.base.Output;
import bt.client.Bigtable;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Address;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** While a cluster is upgraded, servers meet files that only later ones can read: these are not damaged, and the later ones serve them. */
class LaterFileSimTest {
    private static final Bytes ROW = Bytes.utf8("z");
    private static final List<Bytes> SPLITS = IntStream.range(0, 9)
            .mapToObj(i -> Bytes.utf8(Character.toString('a' + i)))
            .toList();

    /** Version, CRC and magic are the end of every SSTable. */
    private static final int VERSION_FROM_END = 8 + 2 * Integer.BYTES;

    private static final int FOOTER_BYTES = 40;

    private final SimCluster cluster = new SimCluster(29, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void aFileOfALaterVersionIsToldAsThatAndNotAsDamage() {
        live((client, path) -> {
            byte[] whole = read(path);
            replace(path, later(whole));
            cluster.crashOneServer();
            cluster.startServer();
            cluster.scheduler().pause(30_000);
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.contains(path)
                            && problem.contains("version 2, this program reads 1")
                            && problem.contains("upgrade this server"));
            assertThat(row().damage()).isEmpty();
            assertThat(client.admin().history("t", ROW))
                    .noneMatch(event -> event.toString().contains(path));

            replace(path, whole);
            cluster.scheduler().pause(10_000);
            assertThat(client.table("t").read(ROW)).isPresent();
            Checkup.of(ports);
        });
    }

    @Test
    void aTabletThatOneServerAloneCanLoadComesToIt() {
        live((client, path) -> {
            cluster.startServer();
            while (cluster.servers().size() < 2
                    || client.admin().clusterStatus().servers().size() < 2) {
                cluster.scheduler().pause(1_000);
            }
            String holder = holder();
            String able = cluster.servers().stream()
                    .filter(server -> !server.equals(holder))
                    .findFirst()
                    .orElseThrow();
            // It has more tablets than those that come: they are asked first, and again.
            for (Bytes split : SPLITS) {
                client.admin().moveTablet("t", split, able + ":1");
            }
            cluster.setFileFaults((operation, file) -> file.equals(path) && operation == FileOperation.OPEN
                    ? new Faults.Fault(0, Faults.Failure.REFUSED)
                    : Faults.NONE);
            cluster.setFileFaults(able, (operation, file) -> Faults.NONE);
            cluster.startServer();
            cluster.startServer();
            cluster.kill(holder);
            cluster.scheduler().pause(60_000);
            assertThat(holder()).isEqualTo(able);
            assertThat(client.table("t").read(ROW)).isPresent();
        });
    }

    private String holder() throws BigtableException, InterruptedException {
        return Address.parse(row().location().getAddress()).host();
    }

    /** Of the last tablet. */
    private MetadataRow row() throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).get(SPLITS.size());
    }

    @FunctionalInterface
    private interface Story {
        void tell(Bigtable client, String path) throws Exception;
    }

    /** One server, and a table of which the last tablet has one file. */
    private void live(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin()
                        .createTable(
                                TableSchema.draft("t")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                SPLITS);
                Table table = client.table("t");
                table.apply(RowMutation.of(ROW).set("f", "q", "value").build());
                client.admin().flush("t");
                story.tell(client, row().state().getFiles().get(0).getPath());
            } catch (InterruptedException stopped) {
                throw stopped;
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static byte[] later(byte[] whole) {
        Output bytes = new Output().raw(Bytes.wrap(whole.clone()));
        int at = bytes.size() - VERSION_FROM_END;
        bytes.setU32(at, 2);
        int from = bytes.size() - FOOTER_BYTES;
        bytes.setU32(at + 4, Crc32c.of(bytes.array(), from, at + 4 - from));
        return bytes.toArray();
    }

    private byte[] read(String path) throws BigtableException {
        try (FileReader reader = ports.files().open(path)) {
            byte[] all = new byte[(int) reader.length()];
            reader.readFully(0, all, 0, all.length);
            return all;
        }
    }

    private void replace(String path, byte[] content) throws BigtableException {
        ports.files().delete(path);
        try (FileWriter writer = ports.files().create(path, FileStore.Placement.DATA)) {
            writer.append(content, 0, content.length);
        }
    }
}
