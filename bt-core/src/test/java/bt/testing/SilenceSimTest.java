package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.coord.Paths;
import bt.doctor.Doctor;
import bt.master.MasterConfig;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Address;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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

    private interface Story {
        void tell(String silent) throws BigtableException, InterruptedException;
    }

    private void withASilentServer(Story story) {
        cluster.mastersAre(patient(MasterConfig.silenceFor(SESSION_SECONDS * 1_000)));
        cluster.startMaster();
        List<String> servers = List.of(cluster.startServer(), cluster.startServer(), cluster.startServer());
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                client.table("t")
                        .apply(RowMutation.of(ROW).set("f", "q", "value").build());
                String silent = holder();
                Stream.concat(Stream.of(cluster.masters().get(0)), servers.stream())
                        .filter(other -> !other.equals(silent))
                        .forEach(other -> {
                            cluster.network().cut(other, silent);
                            cluster.network().cut(silent, other);
                        });
                story.tell(silent);
                assertThat(client.table("t").read(ROW)).isPresent();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
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
        return Address.parse(metadata.scan(1, 1).get(0).location().getAddress()).host();
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
