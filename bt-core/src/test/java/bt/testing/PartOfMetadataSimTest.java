package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.metadata.MergeIntent;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import bt.record.TabletState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A tablet of METADATA that is not served keeps those tablets waiting of which it has the rows, and no others. */
class PartOfMetadataSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final List<Bytes> SPLITS =
            IntStream.range(1, 40).mapToObj(i -> row(i * 10)).toList();

    /** The end of the first of the two tablets that METADATA has beside the root tablet. */
    private static final Bytes MIDDLE = MetadataKeys.of(new TabletId(1, Optional.of(row(200))));

    /** What the other one is called for those who know tables. */
    private static final String LAST_PART = "the part of METADATA from row 200 of table t to the last table ";

    /** Tells whom a tablet belongs to, and is not kept in memory as its location is. */
    private static final int STATE_FAMILY = 2;

    /** In the first block of a file. */
    private static final int BLOCK_BYTE = 40;

    private final SimCluster cluster = new SimCluster(7, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void whatTheOthersTellOfIsServedAndNothingIsConcludedFromIt() {
        inTwoParts(client -> {
            markOffline("a test");
            cluster.crashOneServer();
            cluster.startServer();
            pause(60);
            Table table = client.table("t");
            readAll(table, 200);
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.startsWith(LAST_PART + "is not served, or half split; "));
            assertThat(recovering(client)).as("recoveries that have not ended").isEqualTo(1);

            markOffline(null);
            pause(60);
            readAll(table, 400);
            assertThat(recovering(client)).as("recoveries that have not ended").isZero();
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            Checkup.of(ports);
        });
    }

    @Test
    void whoseServerIsSilentKeepsNoOtherTabletOfADeadServerWaiting() {
        cluster.startServer();
        cluster.startServer();
        inTwoParts(client -> {
            List<String> servers = cluster.servers();
            String root = addressOf(MetadataSchema.ROOT);
            String silent = servers.get(servers.get(0).equals(host(root)) ? 1 : 0);
            String dead = servers.stream()
                    .filter(server -> !server.equals(silent) && !server.equals(host(root)))
                    .findFirst()
                    .orElseThrow();
            client.admin().moveTablet("METADATA", MIDDLE, root);
            client.admin().moveTablet("METADATA", MIDDLE.successor(), silent + ":1");
            assertThat(told()).as("tablets of who will die").anyMatch(row -> isAt(row, dead));
            String master = cluster.masters().get(0);
            cluster.network().cut(master, silent);
            cluster.network().cut(silent, master);
            cluster.kill(dead);
            pause(40);
            assertThat(told()).allMatch(row -> row.location().getPhase() == Phase.SERVING && !isAt(row, dead));
            cluster.network().mendAll();
            pause(60);
            Checkup.of(ports);
        });
    }

    @Test
    void ofWhichABlockIsDamagedKeepsNoOtherTabletWaiting() {
        cluster.startServer();
        inTwoParts(client -> {
            String file = damage(client);
            Table table = client.table("t");
            readAll(table, 200);
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.startsWith(LAST_PART + "cannot be read: ") && problem.contains(file));

            cluster.flip(file, BLOCK_BYTE);
            pause(60);
            readAll(table, 400);
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            Checkup.of(ports);
        });
    }

    @Test
    void whileABlockIsDamagedTheOthersAreBalancedAndMetadataIsAskedSeldom() {
        cluster.startServer();
        inTwoParts(client -> {
            String file = damage(client);
            String late = cluster.startServer();
            pause(120);
            assertThat(told()).filteredOn(row -> isAt(row, late)).hasSizeGreaterThan(2);
            assertThat(requestsPerMinute(MetadataSchema.ROOT)).isBetween(1L, 60L);
            cluster.flip(file, BLOCK_BYTE);
            pause(30);
            readAll(client.table("t"), 400);
            Checkup.of(ports);
        });
    }

    @Test
    void aMergeThatWasLeftInTheMiddleOverItsEdgeWaitsForItAndKeepsNothingElse() {
        cluster.startServer();
        inTwoParts(client -> {
            String file = damage(client);
            markToBeMerged(row(200), row(210));
            String late = cluster.startServer();
            pause(120);
            assertThat(told()).filteredOn(row -> isAt(row, late)).hasSizeGreaterThan(2);
            assertThat(requestsPerMinute(MetadataSchema.ROOT)).isBetween(1L, 60L);
            cluster.flip(file, BLOCK_BYTE);
            pause(30);
            readAll(client.table("t"), 400);
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            Checkup.of(ports);
        });
    }

    @Test
    void itsTabletsAreSpreadOverTheServers() {
        cluster.startServer();
        inTwoParts(client -> {
            pause(60);
            TabletId first = new TabletId(TableSchema.METADATA_ID, Optional.of(MIDDLE));
            assertThat(addressOf(first)).isNotEqualTo(addressOf(MetadataSchema.LAST));
            String before = addressOf(first) + " " + addressOf(MetadataSchema.LAST);
            readAll(client.table("t"), 400);
            // A part for each of two is as even as it gets.
            pause(600);
            assertThat(addressOf(first) + " " + addressOf(MetadataSchema.LAST)).isEqualTo(before);
            Checkup.of(ports);
        });
    }

    /** As by a master that died then; nobody else has a part in it, for the rows of the upper one are its own still. */
    private void markToBeMerged(Bytes lower, Bytes upper) throws BigtableException, InterruptedException {
        MetadataRow below = metadata.read(new TabletId(1, Optional.of(lower))).orElseThrow();
        MergeIntent intent = new MergeIntent(new TabletId(1, Optional.of(upper)), 1);
        MetadataRow unused = metadata.replace(below, below.location(), intent.addedTo(below.state()), "planted");
    }

    /** In what the last part has in files. */
    private String damage(Bigtable client) throws BigtableException, InterruptedException {
        client.admin().moveTablet("t", row(300), other(metadata.scan(1, 1).get(29)));
        // Which writes what it has in memory to files of its own.
        String next = other(metadata.read(MetadataSchema.LAST).orElseThrow());
        client.admin().moveTablet("METADATA", MIDDLE.successor(), next);
        String file = stateFileOfTheLastAlone();
        cluster.flip(file, BLOCK_BYTE);
        // It may have the block in memory.
        cluster.crash(next);
        cluster.startServer();
        pause(60);
        return file;
    }

    /** As the tablet's server tells the master. */
    private long requestsPerMinute(TabletId tablet) throws BigtableException, InterruptedException {
        Request question = new Request.Control(TabletListing.question(0, TabletListing.WHOLE_EACH_TIME));
        Answer answer =
                ports.scheduler().await(ports.network().send(Address.parse(addressOf(tablet)), question, 5_000), 6_000);
        ServerStatus status = (ServerStatus) ((Answer.Control) answer).message();
        return status.getTablets().stream()
                .filter(report -> report.getTableId() == tablet.tableId()
                        && AvroBytes.optionalBytes(report.getEndRow()).equals(tablet.endRow()))
                .mapToLong(TabletReport::getRequestsPerMinute)
                .sum();
    }

    /** A server that does not have the tablet. */
    private String other(MetadataRow tablet) {
        return cluster.servers().stream()
                        .filter(server -> !isAt(tablet, server))
                        .findFirst()
                        .orElseThrow()
                + ":1";
    }

    private String stateFileOfTheLastAlone() throws BigtableException, InterruptedException {
        MetadataRow first = metadata.read(new TabletId(TableSchema.METADATA_ID, Optional.of(MIDDLE)))
                .orElseThrow();
        MetadataRow last = metadata.read(MetadataSchema.LAST).orElseThrow();
        return last.state().getFiles().stream()
                .filter(file -> file.getFamilies().contains(STATE_FAMILY))
                .map(FileReference::getPath)
                .filter(path -> first.state().getFiles().stream()
                        .noneMatch(other -> other.getPath().equals(path)))
                .findFirst()
                .orElseThrow();
    }

    /** What the first of the two tablets tells of. */
    private List<MetadataRow> told() throws BigtableException, InterruptedException {
        return metadata.scanReadable(RowRange.of(MetadataKeys.tables(1, 1).start(), MIDDLE.successor()))
                .rows();
    }

    private String addressOf(TabletId tablet) throws BigtableException, InterruptedException {
        return metadata.read(tablet).orElseThrow().location().getAddress();
    }

    private static boolean isAt(MetadataRow row, String server) {
        return host(row.location().getAddress()).equals(server);
    }

    private static String host(String address) {
        return Address.parse(address).host();
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private void inTwoParts(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                Table table = client.table("t");
                for (int i = 5; i < 400; i += 10) {
                    table.apply(RowMutation.of(row(i)).set("f", "q", "value").build());
                }
                client.admin().splitTablet("METADATA", MIDDLE);
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private void markOffline(@Nullable String why) throws BigtableException, InterruptedException {
        while (true) {
            MetadataRow last = metadata.read(MetadataSchema.LAST).orElseThrow();
            TabletState state =
                    TabletState.newBuilder(last.state()).setOffline(why).build();
            try {
                MetadataRow unused = metadata.replace(last, last.location(), state, "planted");
                return;
            } catch (RejectedException changed) {
                pause(1);
            }
        }
    }

    private static int recovering(Bigtable client) throws BigtableException {
        return client.admin().recoveries().size();
    }

    private static void readAll(Table table, int rows) throws BigtableException {
        for (int i = 5; i < rows; i += 10) {
            assertThat(table.read(row(i))).as("row %d", i).isPresent();
        }
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }

    private static Bytes row(int number) {
        return Bytes.utf8(String.format("%03d", number));
    }
}
