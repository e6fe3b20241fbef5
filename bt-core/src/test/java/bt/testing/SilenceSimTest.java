package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.master.MasterConfig;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.ProcessFiles;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.UnloadTablet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server holds its lock, and answers nobody for longer than the ten seconds that are borne by default. */
class SilenceSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final Bytes ROW = Bytes.utf8("r");
    private static final int SESSION_SECONDS = 30;

    private final SimCluster cluster = new SimCluster(11, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void aPauseThatItsSessionIsSetToSurviveCostsAServerNothing() {
        withASilentServer(silent -> {
            pause(SESSION_SECONDS);
            cluster.network().mendAll();
            pause(60);
            assertThat(cluster.replayedLogs()).isEmpty();
            assertThat(holder()).isEqualTo(silent);
            Checkup.of(ports);
        });
    }

    @Test
    void aLongerOneIsTakenForDeath() {
        withASilentServer(silent -> {
            pause(2 * SESSION_SECONDS);
            assertThat(holder()).isNotEqualTo(silent);
            cluster.network().mendAll();
            Checkup.of(ports);
        });
    }

    /** The one who rules by then reaches that server. */
    @Test
    void aMasterThatIsFollowedBeforeItEndsASilentServerEndsNone() {
        withASilentServer(silent -> {
            cluster.standStillAt(CrashPoint.BEFORE_NODE_IS_DELETED, 1);
            long version = ports.locks().read(Paths.MASTER).orElseThrow().version();
            cluster.startMaster();
            while (ports.locks().read(Paths.MASTER).orElseThrow().version() == version) {
                pause(1);
            }
            cluster.network().mendAll();
            // Until the first master has gone on, and has not ended the server.
            pause(60);
            assertThat(cluster.masters()).hasSize(1);
            assertThat(cluster.servers()).contains(silent);
            assertThat(cluster.replayedLogs()).isEmpty();
            assertThat(holder()).isEqualTo(silent);
            Checkup.of(ports);
        });
    }

    /** Others reach it, so it is not taken for dead. */
    @Test
    void whatAServerThatTheMasterAloneDoesNotReachIsToLoadGoesToAnother() {
        withServers(4, client -> {
            String cutOff = idle();
            cutOff(cutOff, cluster.masters().stream());
            handOverTo(cutOff);
            pause(30);
            assertThat(holder()).isNotEqualTo(cutOff);
            assertThat(client.table("t").read(ROW)).isPresent();
            assertThat(cluster.servers()).contains(cutOff);
            assertThat(cluster.replayedLogs()).isEmpty();
            cluster.network().mendAll();
            pause(30);
            assertThat(holder()).isNotEqualTo(cutOff);
            Checkup.of(ports);
        });
    }

    /** It lives, and serves whoever asks it; but the master has to know what METADATA says there of another that dies. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void metadataIsMovedAwayFromAServerThatTheMasterAloneDoesNotReach(boolean isRoot) {
        withServers(5, client -> {
            client.admin().moveTablet("t", ROW, idle() + ":1");
            TabletId tablet = isRoot ? MetadataSchema.ROOT : MetadataSchema.LAST;
            client.admin().moveTablet(MetadataSchema.SCHEMA.name(), keyIn(tablet), idle() + ":1");
            String cutOff = hostOf(metadata.read(tablet).orElseThrow());
            cutOff(cutOff, cluster.masters().stream());
            String dead = holder();
            cluster.kill(dead);
            pause(60);
            assertThat(hostOf(metadata.read(tablet).orElseThrow())).isNotEqualTo(cutOff);
            assertThat(holder()).isNotEqualTo(dead);
            assertThat(client.table("t").read(ROW)).isPresent();
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.startsWith(cutOff) && problem.contains("and not the master"));
            assertThat(cluster.servers()).contains(cutOff);
            cluster.network().mendAll();
            pause(10);
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            assertThat(cluster.replayedLogs()).as("of who is dead").hasSize(1);
            Checkup.of(ports);
        });
    }

    /** Of those that are taken for dead there are few a minute; who answers others is none of them. */
    @Test
    void soItIsSoonAfterAnotherServerWasTakenForDead() {
        withServers(5, client -> {
            String gone = idle();
            cutOff(gone, Stream.concat(cluster.servers().stream(), cluster.masters().stream()));
            pause(20);
            assertThat(registered(gone)).isFalse();
            String unreached = hostOf(metadata.read(MetadataSchema.LAST).orElseThrow());
            cutOff(unreached, cluster.masters().stream());
            pause(30);
            assertThat(hostOf(metadata.read(MetadataSchema.LAST).orElseThrow())).isNotEqualTo(unreached);
            assertThat(registered(unreached)).isTrue();
            cluster.network().mendAll();
            Checkup.of(ports);
        });
    }

    private void cutOff(String server, Stream<String> from) {
        from.filter(other -> !other.equals(server)).forEach(other -> {
            cluster.network().cut(other, server);
            cluster.network().cut(server, other);
        });
    }

    private boolean registered(String server) throws BigtableException {
        return ports.locks().children(Paths.SERVERS).stream().anyMatch(name -> name.startsWith(server + "_"));
    }

    /** A key of METADATA whose row is in this tablet of its. */
    private static Bytes keyIn(TabletId tablet) {
        return tablet.equals(MetadataSchema.ROOT) ? MetadataKeys.of(MetadataSchema.LAST) : MetadataKeys.lookUp(1, ROW);
    }

    /** One that has no tablet. */
    private String idle() throws BigtableException, InterruptedException {
        List<String> servers = new ArrayList<>(cluster.servers());
        for (TabletId tablet : List.of(MetadataSchema.ROOT, MetadataSchema.LAST)) {
            servers.remove(hostOf(metadata.read(tablet).orElseThrow()));
        }
        servers.remove(holder());
        return servers.get(0);
    }

    /** As a move leaves the tablet of which the last request was lost. */
    private void handOverTo(String server) throws BigtableException, InterruptedException {
        MetadataRow row = metadata.scan(1, 1).get(0);
        String id = ports.locks().children(Paths.SERVERS).stream()
                .filter(name -> name.startsWith(server + "_"))
                .findFirst()
                .orElseThrow();
        SmallFile file = ports.locks().read(Paths.server(id)).orElseThrow();
        TabletLocation next = new TabletLocation(
                Phase.LOADING, id, ProcessFiles.server(id, file).address().toString(), file.createdTransaction());
        Request order = new Request.Control(new UnloadTablet(row.masterEpoch(), 1L, null, true, next));
        Answer unused = ports.scheduler()
                .await(ports.network().send(Address.parse(row.location().getAddress()), order, 60_000), 60_000);
    }

    private static String hostOf(MetadataRow row) {
        return Address.parse(row.location().getAddress()).host();
    }

    private interface ClientStory {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    /** As masters bear it by default. */
    private void withServers(int count, ClientStory story) {
        cluster.startMaster();
        for (int i = 0; i < count; i++) {
            String unused = cluster.startServer();
        }
        withARow(story);
    }

    /** With a client, and a row in the table. */
    private void withARow(ClientStory story) {
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                client.table("t")
                        .apply(RowMutation.of(ROW).set("f", "q", "value").build());
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private interface Story {
        void tell(String silent) throws BigtableException, InterruptedException;
    }

    private void withASilentServer(Story story) {
        cluster.mastersAre(patient(MasterConfig.silenceFor(SESSION_SECONDS * 1_000)));
        cluster.startMaster();
        List<String> servers = List.of(cluster.startServer(), cluster.startServer(), cluster.startServer());
        withARow(client -> {
            String silent = holder();
            cutOff(silent, Stream.concat(cluster.masters().stream(), servers.stream()));
            story.tell(silent);
            assertThat(client.table("t").read(ROW)).isPresent();
        });
    }

    private static MasterConfig patient(long silenceMillis) {
        MasterConfig now = MasterConfig.DEFAULT;
        return new MasterConfig(
                now.leaseMillis(),
                now.loopMillis(),
                now.passMillis(),
                now.requestMillis(),
                now.graces(),
                now.merges(),
                now.returnWaitMillis(),
                now.splitRequestsPerSecond(),
                silenceMillis);
    }

    /** As METADATA has it. */
    private String holder() throws BigtableException, InterruptedException {
        return hostOf(metadata.scan(1, 1).get(0));
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
