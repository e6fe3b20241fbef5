package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.client.Table;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.Quotas;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.StopProcess;
import bt.record.TableUsage;
import bt.record.TabletLocation;
import bt.record.TabletState;
import bt.record.UnloadTablet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One tablet that no server can load keeps nothing of the rest of the cluster waiting. */
class StuckTabletSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final List<Bytes> SPLITS =
            Stream.of("b", "c", "d", "e", "f", "g", "h").map(Bytes::utf8).toList();
    private static final TabletId STUCK = new TabletId(1, Optional.of(Bytes.utf8("b")));
    private static final String OFFLINE = "table t: the tablet that ends with row b is offline: ";

    private final SimCluster cluster = new SimCluster(5, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    /** What keeps the tablet from being loaded. */
    @FunctionalInterface
    private interface Harm {
        void to(MetadataRow row) throws BigtableException, InterruptedException;
    }

    @Test
    void aTabletThatMustStayOfflineIsLeftAloneAndOthersAreBalanced() {
        harm(this::keepOffline, () -> {
            long generation = stuck().generation();
            pause(120);
            assertThat(stuck().generation()).isEqualTo(generation);
        });
    }

    /** Of what METADATA calls served only its server can tell that it is not. */
    @Test
    void aTabletThatItsServerDoesNotServeThoughMetadataSaysSoIsLoadedAnew() {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                client.table("t")
                        .apply(RowMutation.of("a").set("f", "q", "value").build());
                keepOffline(stuck());
                cluster.crashOneServer();
                cluster.startServer();
                pause(60);
                MetadataRow row = stuck();
                assertThat(row.location().getPhase()).isEqualTo(Phase.LOADING);
                MetadataRow unused = metadata.replace(
                        row,
                        TabletLocation.newBuilder(row.location())
                                .setPhase(Phase.SERVING)
                                .build(),
                        TabletState.newBuilder(row.state()).setOffline(null).build(),
                        "planted");
                assertThat(client.table("t").read(Bytes.utf8("a"))).isPresent();
                // Until the master has seen it.
                while (client.admin().clusterStatus().unassigned() > 0) {
                    pause(1);
                }
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void whatAnotherTableTakesIsStillTold() {
        harm(this::keepOffline, () -> {
            try (Bigtable client = cluster.client()) {
                TableSchema shared = client.admin()
                        .createTable(
                                TableSchema.draft("shared")
                                        .family("f", GcRule.KEEP_ALL)
                                        .quotas(Quotas.NONE.table(OptionalLong.of(1_000_000)))
                                        .build(),
                                List.of());
                client.table("shared")
                        .apply(RowMutation.of("a")
                                .set("f", "q", "v".repeat(50_000))
                                .build());
                pause(30);
                SmallFile told = ports.locks().read(Paths.usage(shared.id())).orElseThrow();
                assertThat(AvroBytes.decode("usage", told.content(), TableUsage.class)
                                .getBytes())
                        .isGreaterThanOrEqualTo(50_000);
            }
        });
    }

    @Test
    void aMergeOfWhichItIsPartTakesNothingFromItsNeighboursNorFromOtherTables() {
        withOneKeptOffline(client -> {
            Admin admin = client.admin();
            admin.createTable(
                    TableSchema.draft("other").family("f", GcRule.KEEP_ALL).build(), List.of());
            admin.startMerge("t", Bytes.utf8("a"), Bytes.utf8("z"));
            long end =
                    cluster.scheduler().clock().nanos() + Duration.ofMinutes(2).toNanos();
            while (cluster.scheduler().clock().nanos() < end) {
                long before = cluster.scheduler().clock().nanos();
                client.table("t")
                        .apply(RowMutation.of("cc").set("f", "q", "value").build());
                assertThat(client.table("t").read(Bytes.utf8("cc"))).isPresent();
                assertThat(cluster.scheduler().clock().nanos() - before).isLessThan(1_000_000_000L);
                pause(1);
            }
            // Begun when the merge is wished for again.
            admin.awaitOperation(
                    admin.startSplit("other", Bytes.utf8("m")).id(),
                    Duration.ofSeconds(30).toMillis(),
                    progress -> {});
            assertThat(client.table("other").tablets()).hasSize(2);

            pause(Duration.ofMinutes(30).toSeconds());
            unmark();
            // A pass each ten seconds, and a look at the merge each ten.
            admin.awaitOperation("merge/t", 40_000, progress -> {});
            assertThat(client.table("t").tablets()).hasSize(1);
        });
    }

    @Test
    void splitsOfItsTableGoOnBesideIt() {
        withOneKeptOffline(client -> {
            Admin admin = client.admin();
            admin.startSplit("t", Bytes.utf8("aa"));
            admin.startSplit("t", Bytes.utf8("cc"));
            admin.startSplit("t");
            long end =
                    cluster.scheduler().clock().nanos() + Duration.ofMinutes(3).toNanos();
            // The row in it alone waits.
            while (admin.operations().get(0).tabletsLeft() > 1
                    && cluster.scheduler().clock().nanos() < end) {
                pause(1);
            }
            assertThat(ends(client)).contains("cc").doesNotContain("aa");

            unmark();
            admin.awaitOperation("split/t", Duration.ofMinutes(5).toMillis(), progress -> {});
            assertThat(ends(client)).contains("aa");
        });
    }

    private static List<String> ends(Bigtable client) throws BigtableException {
        return client.table("t").tablets().stream()
                .flatMap(tablet -> tablet.range().end().stream())
                .map(end -> end.slice(0, end.length() - 1).toUtf8())
                .toList();
    }

    private void unmark() throws BigtableException, InterruptedException {
        MetadataRow unused = metadata.replace(
                stuck(),
                stuck().location(),
                TabletState.newBuilder(stuck().state()).setOffline(null).build(),
                "planted");
    }

    /** Served again by no server until its row is changed. */
    private void withOneKeptOffline(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                keepOffline(stuck());
                cluster.crashOneServer();
                cluster.startServer();
                pause(60);
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @FunctionalInterface
    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    @Test
    void itsServerDrainsAndStopsAsOthersDo() {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                keepOffline(stuck());
                cluster.crashOneServer();
                String second = cluster.startServer();
                pause(60);
                String third = cluster.startServer();
                pause(5);
                assertThat(client.admin().drainServer(second + ":1"))
                        .as("tablets that nobody can load")
                        .isEqualTo(1);
                assertThat(servedBy(second)).isZero();
                assertThat(servedBy(third)).isEqualTo(SPLITS.size());
                assertThat(client.admin().drainServer(second + ":1")).isEqualTo(1);
                assertThat(metadata.scan(0, 0))
                        .allMatch(row -> row.location().getAddress().equals(third + ":1"));
                client.admin().undrainServer(second + ":1");

                long before = cluster.scheduler().clock().nanos();
                stop(second);
                assertThat(cluster.scheduler().clock().nanos() - before).isLessThan(15_000_000_000L);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Until its file is gone. */
    private void stop(String server) throws BigtableException, InterruptedException {
        int servers = ports.locks().children(Paths.SERVERS).size();
        ports.scheduler()
                .await(
                        ports.network()
                                .send(
                                        new Address(server, 1),
                                        new Request.Control(new StopProcess("a test", -1L)),
                                        5_000),
                        6_000);
        while (ports.locks().children(Paths.SERVERS).size() == servers) {
            pause(1);
        }
    }

    private void keepOffline(MetadataRow row) throws BigtableException, InterruptedException {
        MetadataRow unused = metadata.replace(
                row,
                row.location(),
                TabletState.newBuilder(row.state()).setOffline("a test").build(),
                "planted");
    }

    /** A flush and a compaction end for who waits, and go on. */
    @Test
    void whoWaitsForWorkOnItsTableIsToldWhyItIsNotDone() {
        withOneKeptOffline(client -> {
            Admin admin = client.admin();
            for (Waits waits : List.<Waits>of(each -> each.flush("t"), each -> each.compactTable("t"))) {
                long begin = cluster.scheduler().clock().nanos();
                assertThatThrownBy(() -> waits.on(admin))
                        .isInstanceOf(UnavailableException.class)
                        .hasMessageContaining("t is not done after ")
                        .hasMessageContaining("it goes on")
                        .hasMessageContaining(STUCK.inWords() + " is not served: ")
                        .hasMessageContaining("a test");
                assertThat(cluster.scheduler().clock().nanos() - begin)
                        .isLessThan(Duration.ofMinutes(3).toNanos());
            }
            assertThat(admin.startSplit("t", Bytes.utf8("aa")).hindrance().orElse(""))
                    .startsWith(STUCK.inWords() + " is not served: ");
            assertThat(admin.startMerge("t", Bytes.utf8("a"), Bytes.utf8("c"))
                            .hindrance()
                            .orElse(""))
                    .startsWith(STUCK.inWords() + " is not served: ");
            assertThat(admin.startMerge("t", Bytes.utf8("x"), Bytes.utf8("z")).id())
                    .isEqualTo("merge/t");
            assertThat(admin.operations())
                    .extracting(Operation::id)
                    .contains("compaction/t", "flush/t", "split/t", "merge/t");

            unmark();
            for (Operation operation : admin.operations()) {
                admin.awaitOperation(operation.id(), Duration.ofMinutes(15).toMillis(), progress -> {});
            }
        });
    }

    @FunctionalInterface
    private interface Waits {
        void on(Admin admin) throws BigtableException;
    }

    @Test
    void othersAreBalancedThoughATabletLacksAFile() {
        harm(row -> ports.files().delete(row.state().getFiles().get(0).getPath()), () -> pause(120));
    }

    @Test
    void whoHasJustComeTriesTheTabletAtOnce() {
        harm(row -> ports.files().delete(row.state().getFiles().get(0).getPath()), () -> {
            pause(120);
            long resting = stuck().generation();
            for (int i = 0; i < 60 && stuck().generation() == resting; i++) {
                pause(1);
            }
            // Half a minute from now it would be tried again anyway.
            pause(5);
            long tried = stuck().generation();
            cluster.startServer();
            pause(10);
            assertThat(stuck().generation()).isGreaterThan(tried);
        });
    }

    /** While another load of it is under way, and when its server was asked to give it up. */
    @Test
    void whyItIsNotServedIsToldUntilItIs() {
        harm(row -> ports.files().delete(row.state().getFiles().get(0).getPath()), () -> {
            try (Bigtable client = cluster.client()) {
                UnloadTablet giveUp = new UnloadTablet(
                        client.admin().clusterStatus().masterEpoch(),
                        STUCK.tableId(),
                        AvroBytes.buffer(STUCK.endRow()),
                        false,
                        null);
                Address holder = Address.parse(stuck().location().getAddress());
                ports.scheduler().await(ports.network().send(holder, new Request.Control(giveUp), 5_000), 6_000);
                for (int i = 0; i < 100; i++) {
                    assertThat(client.admin().clusterStatus().problems())
                            .anyMatch(problem -> problem.startsWith(OFFLINE));
                    cluster.scheduler().pause(20);
                }
            }
        });
    }

    /** The harm is what the tablet's next load finds, so the only server dies; the one after it is joined by another. */
    private void harm(Harm harm, Then then) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                Table table = client.table("t");
                table.apply(RowMutation.of("a").set("f", "q", "value").build());
                client.admin().flush("t");
                harm.to(stuck());
                cluster.crashOneServer();
                cluster.startServer();
                pause(60);
                then.run();
                String second = cluster.startServer();
                for (int i = 0; i < 30 && servedBy(second) < 2; i++) {
                    pause(10);
                }
                assertThat(servedBy(second)).isGreaterThanOrEqualTo(2);
                assertThat(client.admin().clusterStatus().unassigned()).isEqualTo(1);
                assertThat(client.admin().clusterStatus().problems()).anyMatch(problem -> problem.startsWith(OFFLINE));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @FunctionalInterface
    private interface Then {
        void run() throws BigtableException, InterruptedException;
    }

    private long servedBy(String server) throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).stream()
                .map(MetadataRow::location)
                .filter(location -> location.getPhase() == Phase.SERVING)
                .filter(location -> location.getAddress().startsWith(server + ":"))
                .count();
    }

    private MetadataRow stuck() throws BigtableException, InterruptedException {
        return metadata.read(STUCK).orElseThrow();
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
