package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Intent;
import bt.record.Phase;
import bt.record.TabletState;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What cannot be changed in METADATA keeps those tablets waiting whose rows it is, and no others. */
class HindrancesSimTest {
    private static final int TABLETS = 20;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, TABLETS).mapToObj(HindrancesSimTest::row).toList();

    /** METADATA is split behind the first table's rows. */
    private static final Bytes FIRST_TABLE = MetadataKeys.of(new TabletId(1, Optional.empty()));

    private static final TabletId FIRST_PART = new TabletId(TableSchema.METADATA_ID, Optional.of(FIRST_TABLE));

    private final SimCluster cluster = new SimCluster(13, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void aServerThatTakesNoWritesOfMetadataKeepsItsOwnRowsAloneWaiting() {
        withTwoTables((client, dead) -> {
            refuseWrites();
            cluster.kill(dead);
            pause(60);
            readAll(client.table("second"));
            assertThat(metadata.scan(1, 1)).noneMatch(row -> isServed(row, dead));
            assertThat(client.admin().clusterStatus().problems())
                    .singleElement()
                    .asString()
                    .startsWith("rows of METADATA at " + host(FIRST_PART));
            mend();
            readAll(client.table("first"));
            expectNoProblem(client);
        });
    }

    @Test
    void aDroppedTableWhoseRowsCannotBeChangedKeepsNoOtherWaiting() {
        withTwoTables((client, dead) -> {
            refuseWrites();
            client.admin().dropTable("first");
            cluster.kill(dead);
            pause(60);
            readAll(client.table("second"));
            mend();
            assertThat(metadata.scan(1, 1)).allMatch(row -> row.location().getPhase() == Phase.UNASSIGNED);
            expectNoProblem(client);
        });
    }

    @Test
    void aRowOfWhichTheHalfThatIsDoneCannotBeUnderstoodKeepsItsOwnTabletAloneWaiting() {
        withTwoTables((client, dead) -> {
            TabletId bad = metadata.scan(1, 1).get(0).id();
            plant(bad, List.of(nonsense()));
            cluster.kill(dead);
            pause(60);
            readAll(client.table("second"));
            assertThat(metadata.scan(1, 1))
                    .filteredOn(row -> isServed(row, dead))
                    .hasSize(TABLETS - 1);
            assertThat(client.admin().clusterStatus().problems())
                    .singleElement()
                    .asString()
                    .startsWith("table first, rows from the first up to "
                            + bad.endRow().orElseThrow() + ": METADATA row " + bad + ": what is half done: ");
            // The damaged row may name the dead server: nobody can say that all it had is recovered.
            assertThat(client.admin().recoveries()).singleElement().satisfies(line -> assertThat(line.tabletsWaiting())
                    .isEqualTo(1));
            plant(bad, List.of());
            pause(30);
            readAll(client.table("first"));
            assertThat(client.admin().recoveries()).isEmpty();
            expectNoProblem(client);
        });
    }

    @Test
    void aRowOfMetadataItselfThatCannotBeUnderstoodKeepsThoseAloneWaitingThatItTellsOf() {
        withTwoTables((client, dead) -> {
            plant(FIRST_PART, List.of(nonsense()));
            cluster.kill(dead);
            pause(60);
            readAll(client.table("second"));
            assertThat(client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.startsWith(
                            "the part of METADATA up to the end of table first is left as it is: METADATA row "));
            plant(FIRST_PART, List.of());
            pause(30);
            readAll(client.table("first"));
            expectNoProblem(client);
        });
    }

    private interface Story {
        void tell(Bigtable client, String dead) throws BigtableException, InterruptedException;
    }

    /** Three servers: one that has all tablets of users and will die, and for each part of METADATA one. */
    private void withTwoTables(Story story) {
        cluster.startMaster();
        String dead = cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client, "first");
                fill(client, "second");
                client.admin().splitTablet("METADATA", FIRST_TABLE);
                String one = cluster.startServer() + ":1";
                String other = cluster.startServer() + ":1";
                pause(3);
                client.admin().moveTablet("METADATA", FIRST_TABLE, one);
                client.admin().moveTablet("METADATA", FIRST_TABLE.successor(), other);
                client.admin().moveTablet("METADATA", Bytes.EMPTY, other);
                story.tell(client, dead);
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static void fill(Bigtable client, String name) throws BigtableException {
        client.admin()
                .createTable(
                        TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build(), SPLITS);
        for (int i = 0; i < TABLETS; i++) {
            client.table(name)
                    .apply(RowMutation.of(row(i)).set("f", "q", "value").build());
        }
    }

    /** The server of METADATA's first part gets no room for METADATA's log; reads go on. */
    private void refuseWrites() throws BigtableException, InterruptedException {
        long epoch = metadata.read(FIRST_PART).orElseThrow().location().getEpoch();
        cluster.setFileFaults((operation, path) ->
                path.startsWith("log/" + epoch + "/metadata-") ? new Fault(0, Failure.REFUSED) : Faults.NONE);
    }

    private void mend() throws InterruptedException {
        cluster.setFileFaults((operation, path) -> Faults.NONE);
        pause(60);
    }

    private static Intent nonsense() {
        return new Intent("split", AvroBytes.buffer(row(1)), 1L, AvroBytes.buffer(row(2)), AvroBytes.buffer(row(3)));
    }

    private void plant(TabletId id, List<Intent> intents) throws BigtableException, InterruptedException {
        MetadataRow row = metadata.read(id).orElseThrow();
        MetadataRow unused = metadata.replace(
                row,
                row.location(),
                TabletState.newBuilder(row.state()).setIntents(intents).build(),
                "planted");
    }

    private String host(TabletId id) throws BigtableException, InterruptedException {
        return metadata.read(id).orElseThrow().location().getServer();
    }

    private static boolean isServed(MetadataRow row, String dead) {
        return row.location().getPhase() == Phase.SERVING
                && !row.location().getAddress().equals(dead + ":1");
    }

    private static void readAll(Table table) throws BigtableException {
        for (int i = 0; i < TABLETS; i++) {
            assertThat(table.read(row(i))).as("row %d", i).isPresent();
        }
    }

    private static void expectNoProblem(Bigtable client) throws BigtableException {
        assertThat(client.admin().clusterStatus().problems()).isEmpty();
        assertThat(client.admin().clusterStatus().unassigned()).isZero();
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }

    private static Bytes row(int number) {
        return Bytes.utf8(String.format("%03d", number));
    }
}
