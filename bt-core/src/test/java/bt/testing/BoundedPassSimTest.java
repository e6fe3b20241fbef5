package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.master.MasterConfig;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TabletLocation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a master reads of METADATA when a server dies grows with what that server had, and not with the table. */
class BoundedPassSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final int TABLETS = 400;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, TABLETS).mapToObj(BoundedPassSimTest::row).toList();

    /** In the middle of a tablet. */
    private static final Bytes HALF = Bytes.utf8("0100-middle");

    private final SimCluster cluster = new SimCluster(3, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @FunctionalInterface
    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    @Test
    void aDeathCostsAFewLooksAtTheRowsOfTheDead() {
        inALargeCluster(client -> {
            String late = cluster.startServer();
            while (at(late) < 4) {
                pause(1);
            }
            cluster.kill(late);
            long had = at(late);
            assertThat(had).as("of %d tablets", TABLETS).isBetween(4L, 12L);
            long read = readUntil(() -> at(late) == 0 && isServed());
            assertThat(read).as("rows read for %d tablets", had).isBetween(had, 10 * had);
            Checkup.of(ports);
        });
    }

    /** Each of these is told by its server, or by who asked for it; but for what a stretch has, which comes three times. */
    @Test
    void whatOperatorsDoCostsAFewLooksAtTheRowsOfTheirTablets() {
        inALargeCluster(client -> {
            String master = cluster.masters().get(0);
            long before = cluster.costs(master).rowsRead();
            client.admin().moveTablet("t", row(7), cluster.servers().get(0) + ":1");
            client.admin().moveTablet("t", row(7), cluster.servers().get(1) + ":1");
            client.admin().splitTablet("t", HALF);
            client.admin()
                    .createTable(
                            TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build(), SPLITS.subList(0, 3));
            client.admin().dropTable("u");
            pause(25);
            assertThat(metadata.scan(2, 2)).allMatch(row -> row.location().getPhase() == Phase.UNASSIGNED);
            assertThat(cluster.costs(master).rowsRead() - before)
                    .as("rows read")
                    .isBetween(10L, 150L);
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            Checkup.of(ports);
        });
    }

    @Test
    void aHalfOfWhichNobodyHasToldIsFoundWhereTheOtherIs() {
        inALargeCluster(client -> {
            cluster.startServer();
            String server = host(tabletWith(HALF));
            client.admin().splitTablet("t", HALF);
            cluster.kill(server);
            readUntil(() -> at(server) == 0 && isServed());
            assertThat(tabletWith(HALF).id().endRow()).hasValue(HALF);
            Checkup.of(ports);
        });
    }

    private MetadataRow tabletWith(Bytes row) throws BigtableException, InterruptedException {
        return told().stream()
                .filter(tablet -> tablet.range().contains(row))
                .findFirst()
                .orElseThrow();
    }

    /** As no server or master does it: so no master knows of it before it comes to the row by itself. */
    @Test
    void whatIsNotKnownIsFoundWhenAllRowsHaveBeenReadAgain() {
        inALargeCluster(client -> {
            MetadataRow row = told().get(TABLETS - 1);
            TabletLocation nobody = new TabletLocation(Phase.LOADING, "gone", "gone:1", 4_711L);
            MetadataRow unused = metadata.replace(row, nobody, row.state(), "a test");
            pause(60);
            assertThat(at("gone"))
                    .as("20 of 400 tablets are looked at each ten seconds")
                    .isOne();
            pause(240);
            assertThat(at("gone")).isZero();
            assertThat(isServed()).isTrue();
        });
    }

    /** Twenty tablets are checked with a pass that nothing waits for. */
    private void inALargeCluster(Story story) {
        cluster.mastersAre(MasterConfig.DEFAULT.checking(20));
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofHours(2), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                while (!isServed()) {
                    pause(1);
                }
                pause(15);
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @FunctionalInterface
    private interface Wanted {
        boolean isReached() throws BigtableException, InterruptedException;
    }

    /** By the master. */
    private long readUntil(Wanted wanted) throws BigtableException, InterruptedException {
        String master = cluster.masters().get(0);
        long before = cluster.costs(master).rowsRead();
        for (int i = 0; !wanted.isReached(); i++) {
            assertThat(i).as("tenths of a second").isLessThan(1_000);
            ports.scheduler().pause(100);
        }
        return cluster.costs(master).rowsRead() - before;
    }

    private long at(String server) throws BigtableException, InterruptedException {
        return told().stream().filter(row -> host(row).equals(server)).count();
    }

    private static String host(MetadataRow row) {
        return Address.parse(row.location().getAddress()).host();
    }

    private boolean isServed() throws BigtableException, InterruptedException {
        List<MetadataRow> rows = told();
        return rows.size() >= TABLETS
                && rows.stream().allMatch(row -> row.location().getPhase() == Phase.SERVING);
    }

    private List<MetadataRow> told() throws BigtableException, InterruptedException {
        return metadata.scan(1, 1);
    }

    private void pause(long seconds) throws InterruptedException {
        ports.scheduler().pause(seconds * 1_000);
    }

    private static Bytes row(int number) {
        return Bytes.utf8("%04d".formatted(number));
    }
}
