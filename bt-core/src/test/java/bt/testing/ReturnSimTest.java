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
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server dies, and another may soon be on its host, where the blocks of its tablets are: for so long they wait. */
class ReturnSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final List<Bytes> SPLITS = List.of(Bytes.utf8("d"), Bytes.utf8("k"), Bytes.utf8("p"));
    private static final long WAIT_SECONDS = 60;

    /** A session and a lease of six seconds each, and some for the rest. */
    private static final long REPLACED_SECONDS = 15;

    private final SimCluster cluster = new SimCluster(11, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void theTabletsGoToItsSuccessorOnTheSameHostAsSoonAsThereIsOne() {
        afterADeath((dead, other) -> {
            pause(REPLACED_SECONDS + 10);
            assertThat(served()).as("tablets of users that wait").isEmpty();
            String successor = cluster.startServerOnHostOf(dead);
            pause(5);
            assertThat(served()).hasSize(SPLITS.size() + 1).allMatch(row -> isAt(row, dead));
            assertThat(cluster.servers()).contains(successor);
            Checkup.of(ports);
        });
    }

    @Test
    void whereNobodyComesTheyGoElsewhereOnceTheWaitIsOverAndThoseOfMetadataAtOnce() {
        afterADeath((dead, other) -> {
            pause(REPLACED_SECONDS);
            assertThat(metadata.scan(0, 0))
                    .allMatch(row -> row.location().getPhase() == Phase.SERVING && isAt(row, other));
            assertThat(served()).as("tablets of users that wait").isEmpty();
            pause(WAIT_SECONDS);
            assertThat(served()).hasSize(SPLITS.size() + 1).allMatch(row -> isAt(row, other));
            Checkup.of(ports);
        });
    }

    private interface Story {
        void tell(String dead, String other) throws BigtableException, InterruptedException;
    }

    /** Of the server that has all tablets; another one has just come. */
    private void afterADeath(Story story) {
        MasterConfig now = MasterConfig.DEFAULT;
        cluster.mastersAre(new MasterConfig(
                now.leaseMillis(),
                now.loopMillis(),
                now.passMillis(),
                now.requestMillis(),
                now.graces(),
                now.merges(),
                WAIT_SECONDS * 1_000,
                now.splitRequestsPerSecond(),
                now.silenceMillis()));
        cluster.startMaster();
        String first = cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, SPLITS);
                String other = cluster.startServer();
                pause(1);
                cluster.kill(first);
                story.tell(first, other);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** The tablets of users that somebody serves who lives. */
    private List<MetadataRow> served() throws BigtableException, InterruptedException {
        List<String> living = living();
        return metadata.scan(1, 1).stream()
                .filter(row -> row.location().getPhase() == Phase.SERVING
                        && living.contains(row.location().getAddress()))
                .toList();
    }

    /** The addresses of the servers that the master knows. */
    private List<String> living() throws BigtableException {
        try (Bigtable client = cluster.client()) {
            return client.admin().clusterStatus().servers().stream()
                    .map(server -> server.address())
                    .toList();
        }
    }

    private static boolean isAt(MetadataRow row, String host) {
        return Address.parse(row.location().getAddress()).host().equals(host);
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
