package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.Phase;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A server that lives and serves others hangs in the load of one tablet: its file store does not answer for an hour. */
class HungLoadSimTest {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final long HOUR = 3_600;
    private static final int FIRST_BYTE = 0;

    private final SimCluster cluster = new SimCluster(3, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void theTabletIsServedByAnotherAndTheFirstLeavesItAloneWhenItWakes() {
        hang((client, hung) -> {
            Table table = client.table("t");
            cluster.startServer();
            pause(240);
            assertThat(row().location().getPhase()).isEqualTo(Phase.SERVING);
            assertThat(holder()).isNotEqualTo(hung);
            write(table, "written by the other");
            pause(HOUR);
            assertThat(holder()).isNotEqualTo(hung);
            assertThat(value(table)).contains("written by the other");
            Checkup.of(ports);
        });
    }

    @Test
    void whatAnotherServerAcknowledgedMeanwhileIsThereWhenTheTabletComesBack() {
        hang((client, hung) -> {
            Table table = client.table("t");
            String other = cluster.startServer();
            pause(240);
            write(table, "written by the other");
            cluster.kill(other);
            pause(HOUR);
            assertThat(holder()).isEqualTo(hung);
            assertThat(value(table)).contains("written by the other");
            Checkup.of(ports);
        });
    }

    @Test
    void whereThereIsNoOtherItIsServedOnceTheLoadGetsOnAndToldUntilThen() {
        hang((client, hung) -> {
            pause(240);
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.contains("has not got on for 120 s: it opens the tablet's files"));
            pause(HOUR);
            assertThat(value(client.table("t"))).contains("first");
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            Checkup.of(ports);
        });
    }

    @Test
    void aTableThatIsDroppedMeanwhileLeavesTheServerAndNothingOfTheLoadServesWhenItGetsOn() {
        hang((client, hung) -> {
            client.admin().dropTable("t");
            pause(240);
            assertThat(row().location().getPhase()).isEqualTo(Phase.UNASSIGNED);
            assertThat(client.admin().clusterStatus().unassigned()).isZero();
            cluster.crashActiveMaster();
            cluster.startMaster();
            // No second load begins beside the one that hangs.
            assertThatThrownBy(() -> client.admin().undeleteTable("t")).hasMessageContaining("0 of its 1 tablets");
            assertThat(row().location().getPhase()).isEqualTo(Phase.LOADING);
            String other = cluster.startServer();
            pause(60);
            assertThat(holder()).isEqualTo(other);
            write(client.table("t"), "written after it came back");
            pause(HOUR);
            assertThat(holder()).isEqualTo(other);
            assertThat(value(client.table("t"))).contains("written after it came back");
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            // By then it has ended, and is in the way of no other.
            cluster.kill(other);
            pause(60);
            assertThat(holder()).isEqualTo(hung);
            assertThat(value(client.table("t"))).contains("written after it came back");
            Checkup.of(ports);
        });
    }

    @Test
    void aMasterThatDiesBeforeItKnowsThatTheLoadWasGivenUpHarmsNothing() {
        for (long millis = 120_000; millis <= 127_000; millis += 1_000) {
            new HungLoadSimTest().giveUpBesideTheDeathOfTheMaster(millis);
        }
    }

    private void giveUpBesideTheDeathOfTheMaster(long millis) {
        long wakes = HOUR / 6;
        hang(wakes, (client, hung) -> {
            client.admin().dropTable("t");
            cluster.scheduler().pause(millis);
            cluster.crashActiveMaster();
            cluster.startMaster();
            String other = cluster.startServer();
            client.admin().undeleteTable("t");
            assertThat(holder()).isEqualTo(other);
            write(client.table("t"), "written after it came back");
            pause(wakes);
            assertThat(holder()).isEqualTo(other);
            assertThat(value(client.table("t"))).contains("written after it came back");
            Checkup.of(ports);
        });
    }

    @Test
    void aLoadThatWasGivenUpTellsOfNoDamage() {
        long wakes = HOUR / 6;
        hang(wakes, (client, hung) -> {
            String path = row().state().getFiles().get(0).getPath();
            cluster.flip(path, FIRST_BYTE);
            client.admin().dropTable("t");
            // Its next change is the tablet's row, of which the server has just given the load up.
            String master = cluster.masters().get(0);
            cluster.beforeChange(master, 1, () -> cluster.kill(master));
            pause(2 * wakes);
            assertThat(cluster.masters()).isEmpty();
            MetadataRow left = row();
            assertThat(left.location().getPhase()).isEqualTo(Phase.LOADING);
            assertThat(left.damage()).isEmpty();
        });
    }

    private interface Story {
        void tell(Bigtable client, String hung) throws BigtableException, InterruptedException;
    }

    private void hang(Story story) {
        hang(HOUR, story);
    }

    /** One server, which has just begun to hang for so many seconds: the one before it is dead. */
    private void hang(long seconds, Story story) {
        cluster.startMaster();
        String first = cluster.startServer();
        cluster.run(Duration.ofHours(3), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                write(client.table("t"), "first");
                client.admin().flush("t");
                hangTheNextLoad(seconds);
                cluster.kill(first);
                String hung = cluster.startServer();
                while (!row().location().getAddress().startsWith(hung)) {
                    pause(1);
                }
                story.tell(client, hung);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private void hangTheNextLoad(long seconds) throws BigtableException, InterruptedException {
        Set<String> files = Set.copyOf(
                row().state().getFiles().stream().map(file -> file.getPath()).toList());
        AtomicBoolean hangs = new AtomicBoolean(true);
        cluster.setFileFaults(
                (operation, path) -> operation == FileOperation.OPEN && files.contains(path) && hangs.getAndSet(false)
                        ? new Fault(seconds * 1_000, Failure.NONE)
                        : Faults.NONE);
    }

    private MetadataRow row() throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).get(0);
    }

    private String holder() throws BigtableException, InterruptedException {
        return Address.parse(row().location().getAddress()).host();
    }

    private static void write(Table table, String value) throws BigtableException {
        table.apply(RowMutation.of("r").set(COLUMN, Bytes.utf8(value)).build());
    }

    private static Optional<String> value(Table table) throws BigtableException {
        Optional<Row> row = table.read(Bytes.utf8("r"));
        return row.flatMap(found -> found.value(COLUMN)).map(Bytes::toString);
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
