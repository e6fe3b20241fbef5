package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.SplitTablet;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What servers tell their master with every look. */
class LooksSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final int TABLETS = 100;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, TABLETS).mapToObj(LooksSimTest::row).toList();

    private final SimCluster cluster = new SimCluster(5, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    /** Some hundred looks in half a minute: METADATA's own tablets are asked by passes, and each of those may be told with each. */
    @Test
    void tabletsThatHaveNotChangedAreNotToldAgain() {
        inACluster(client -> {
            long before = told();
            pause(30);
            assertThat(told() - before).as("tablets told in half a minute").isBetween(1L, 5L * TABLETS);
        });
    }

    @Test
    void aMasterThatFollowsIsToldOfAllOfThem() {
        inACluster(client -> {
            cluster.kill(cluster.masters().get(0));
            cluster.startMaster();
            String next = cluster.masters().get(0);
            while (cluster.costs(next).tabletsTold() == 0) {
                pause(1);
            }
            pause(1);
            assertThat(cluster.costs(next).tabletsTold()).isGreaterThanOrEqualTo(TABLETS);
            pause(30);
            assertThat(client.admin().clusterStatus().servers())
                    .as("with those of METADATA")
                    .satisfies(servers -> assertThat(servers.stream()
                                    .mapToInt(server -> server.tablets())
                                    .sum())
                            .isEqualTo(TABLETS + 2));
        });
    }

    /** What is lost with an answer comes with the next: what a server has from then on is what the master says it has. */
    @Test
    void whatAnAnswerThatWasLostToldIsToldAgain() {
        inACluster(client -> {
            String master = cluster.masters().get(0);
            String first = cluster.servers().get(0);
            String second = cluster.servers().get(1);
            // The questions come, and what is answered is lost.
            cluster.network().cut(first, master);
            pause(1);
            splitOneOf(first, client.admin().clusterStatus().masterEpoch());
            pause(3);
            cluster.network().mend(first, master);
            pause(5);
            assertIsSaidToHaveWhatItHas(first, client);
            client.admin().moveTablet("t", row(7), first + ":1");
            client.admin().moveTablet("t", row(8), second + ":1");
            pause(5);
            assertIsSaidToHaveWhatItHas(first, client);
        });
    }

    private void assertIsSaidToHaveWhatItHas(String server, Bigtable client)
            throws BigtableException, InterruptedException {
        long has = metadata.scan(0, 1).stream()
                .filter(row -> host(row).equals(server))
                .count();
        assertThat(client.admin().clusterStatus().servers())
                .filteredOn(line -> line.address().startsWith(server + ":"))
                .singleElement()
                .satisfies(line -> assertThat(line.tablets()).isEqualTo((int) has));
    }

    /** By the server itself, whom its master cannot hear. */
    private void splitOneOf(String server, long masterEpoch) throws BigtableException, InterruptedException {
        MetadataRow row = metadata.scan(1, 1).stream()
                .filter(tablet ->
                        host(tablet).equals(server) && tablet.previousEndRow().isPresent())
                .findFirst()
                .orElseThrow();
        Bytes inside = row.previousEndRow().orElseThrow().successor();
        SplitTablet split = new SplitTablet(
                row.id().tableId(),
                AvroBytes.buffer(row.previousEndRow()),
                AvroBytes.buffer(row.id().endRow()),
                AvroBytes.buffer(inside),
                masterEpoch);
        Address address = Address.parse(row.location().getAddress());
        ports.scheduler().await(ports.network().send(address, new Request.Control(split), 10_000), 10_000);
        assertThat(metadata.scan(1, 1)).hasSize(TABLETS + 1);
    }

    @FunctionalInterface
    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private void inACluster(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                while (!isServed()) {
                    pause(1);
                }
                pause(5);
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private boolean isServed() throws BigtableException, InterruptedException {
        List<MetadataRow> rows = metadata.scan(1, 1);
        return rows.size() == TABLETS
                && rows.stream().allMatch(row -> row.location().getPhase() == Phase.SERVING);
    }

    private long told() {
        return cluster.costs(cluster.masters().get(0)).tabletsTold();
    }

    private static String host(MetadataRow row) {
        return Address.parse(row.location().getAddress()).host();
    }

    private void pause(long seconds) throws InterruptedException {
        ports.scheduler().pause(seconds * 1_000);
    }

    private static Bytes row(int number) {
        return Bytes.utf8("%04d".formatted(number));
    }
}
