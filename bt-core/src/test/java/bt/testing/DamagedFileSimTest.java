package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.client.Table;
import bt.doctor.Diagnosis;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.fs.FileReader;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.tablet.OpenWrites;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Of a file that is damaged clients are told at once, with table, rows and file; what does not need it goes on. */
class DamagedFileSimTest {
    private static final Bytes BEHIND = Bytes.utf8("m");
    private static final Bytes HARMED = Bytes.utf8("r");

    /** Less than a client goes on to try what may pass. */
    private static final long AT_ONCE_NANOS = 10_000_000_000L;

    private final SimCluster cluster = new SimCluster(23, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void aTabletThatCannotBeLoadedIsToldAsItsDamageUntilItIsServed() {
        live((client, path) -> {
            int end = length(path) - 1;
            cluster.flip(path, end);
            cluster.crashOneServer();
            cluster.startServer();
            Table table = client.table("t");
            assertThat(table.read(Bytes.utf8("a"))).isPresent();
            // The first load may not have failed yet.
            assertTold(path, () -> table.read(HARMED));
            assertToldAtOnce(path, () -> table.read(HARMED));
            assertToldAtOnce(
                    path,
                    () -> table.apply(RowMutation.of("r").set("f", "q", "later").build()));
            assertThat(client.admin().history("t", HARMED))
                    .anyMatch(event -> event.toString().contains(path));

            cluster.flip(path, end);
            cluster.scheduler().pause(60_000);
            assertThat(table.read(HARMED)).isPresent();
            Checkup.of(ports);
        });
    }

    @Test
    void aDamagedBlockOfATabletThatIsServedIsToldToWhoNeedsIt() {
        live((client, path) -> {
            cluster.flip(path, 40);
            cluster.crashOneServer();
            cluster.startServer();
            Table table = client.table("t");
            assertThat(table.read(Bytes.utf8("a"))).isPresent();
            table.apply(RowMutation.of("s").set("f", "q", "v").build());
            assertToldAtOnce(path, () -> table.read(HARMED));
            assertToldAtOnce(path, () -> table.append(HARMED, ColumnKey.of("f", "q"), Bytes.utf8("more")));

            cluster.flip(path, 40);
            assertThat(table.read(HARMED)).isPresent();
            Checkup.of(ports);
        });
    }

    @Test
    void aCompactionThatADamagedFileHindersHindersNoOther() {
        live((client, path) -> {
            Table table = client.table("t");
            byte[] large = new byte[20_000];
            new Random(23).nextBytes(large);
            table.apply(RowMutation.of("s")
                    .set(ColumnKey.of("f", "q"), Bytes.wrap(large))
                    .build());
            client.admin().flush("t");
            String damaged = files().get(1).getPath();
            assertThat(damaged).isNotEqualTo(path);
            cluster.flip(damaged, 40);
            cluster.crashOneServer();
            cluster.startServer();
            for (String row : List.of("t", "u", "v")) {
                table.apply(RowMutation.of(row).set("f", "q", "value").build());
                client.admin().flush("t");
            }
            assertThat(files()).hasSize(5);
            Operation asked = client.admin().startCompaction("t", RowRange.ALL);
            // It has failed by then, and the table is none that is being filled.
            cluster.scheduler().pause(60_000);
            // With one more, the small files are merged.
            table.apply(RowMutation.of("w").set("f", "q", "value").build());
            client.admin().flush("t");
            cluster.scheduler().pause(60_000);
            assertThat(files()).hasSize(3).extracting(FileReference::getPath).contains(path, damaged);
            assertThat(client.admin().operations()).hasSize(1).allSatisfy(operation -> {
                assertThat(operation.id()).isEqualTo(asked.id());
                assertThat(operation.hindrance().orElseThrow()).contains(damaged);
            });

            cluster.flip(damaged, 40);
            client.admin().awaitOperation(asked.id(), 700_000, progress -> {});
            assertThat(files()).hasSize(1);
            assertThat(table.read(HARMED)).isPresent();
            Checkup.of(ports);
        });
    }

    @Test
    void aCompactionThatFailedTwiceIsTriedAgainAsSoonAsItsRestIsOver() {
        live((client, path) -> {
            cluster.flip(path, 40);
            cluster.crashOneServer();
            cluster.startServer();
            Table table = client.table("t");
            for (String row : List.of("t", "u", "v")) {
                table.apply(RowMutation.of(row).set("f", "q", "value").build());
                client.admin().flush("t");
            }
            // Files of one minute would wait for more.
            cluster.scheduler().pause(60_000);
            table.apply(RowMutation.of("w").set("f", "q", "value").build());
            client.admin().flush("t");
            // It fails now, and ten seconds later, and is due twenty seconds behind that.
            cluster.scheduler().pause(15_000);
            assertThat(files()).hasSize(5);
            cluster.flip(path, 40);
            cluster.scheduler().pause(20_000);
            assertThat(files()).hasSize(1);
        });
    }

    /** A write may be one that the file tells of, sent again: until nobody may do so the tablet is read and not written. */
    @Test
    void aTabletWhoseOpenWritesAreDamagedIsReadAtOnceAndWrittenTenMinutesLater() {
        live((client, path) -> {
            Table table = client.table("t");
            // In the log alone: whoever loads the tablet brings it into a file, and with it a file of open writes.
            table.apply(RowMutation.of("s").set("f", "q", "value").build());
            List<String> open = openWrites(1);
            assertThat(open).hasSize(1);
            String damaged = open.get(0);
            cluster.flip(damaged, length(damaged) - 1);
            restart();
            assertThat(table.read(HARMED)).isPresent();
            assertThat(table.read(Bytes.utf8("s"))).isPresent();
            RowMutation later = RowMutation.of("r").set("f", "q", "later").build();
            assertToldAtOnce(damaged, () -> table.apply(later));
            table.apply(RowMutation.of("a").set("f", "q", "later").build());
            assertThatThrownBy(() -> client.admin().splitTablet("t", Bytes.utf8("rr")))
                    .isInstanceOf(UnavailableException.class);

            // Its next server does not know either, whatever the first has written since.
            cluster.scheduler().pause(300_000);
            assertThat(openWrites(1)).contains(damaged);
            restart();
            assertThat(table.read(HARMED)).isPresent();
            cluster.scheduler().pause(540_000);
            assertToldAtOnce(damaged, () -> table.apply(later));
            assertThat(client.admin().clusterStatus().problems())
                    .anySatisfy(problem -> assertThat(problem).contains(damaged));

            cluster.scheduler().pause(60_000);
            table.apply(later);
            cluster.scheduler().pause(120_000);
            assertThat(openWrites(1)).doesNotContain(damaged);
            restart();
            table.apply(later);
            Checkup.of(ports);
        });
    }

    /** It is no sign of lost rows, and what it told of is as old as that of a damaged one. */
    @Test
    void aTabletWhoseOpenWritesAreMissingIsServedLikewiseAndTheDoctorTells() {
        live((client, path) -> {
            Table table = client.table("t");
            table.apply(RowMutation.of("s").set("f", "q", "value").build());
            String missing = openWrites(1).get(0);
            assertThat(ports.files().delete(missing)).isTrue();
            restart();
            assertThat(table.read(HARMED)).isPresent();
            assertThat(table.read(Bytes.utf8("s"))).isPresent();
            RowMutation later = RowMutation.of("r").set("f", "q", "later").build();
            assertToldAtOnce(missing, () -> table.apply(later));
            Diagnosis diagnosis = new Doctor(DoctorConfig.DEFAULT, ports).mend();
            assertThat(diagnosis.findings()).singleElement().asString().contains(missing, "the file is missing");
            assertThat(diagnosis.repairs()).isEmpty();

            cluster.scheduler().pause(720_000);
            table.apply(later);
            assertThat(openWrites(1)).doesNotContain(missing);
            Checkup.of(ports);
        });
    }

    /** Each change of it names the generation that it was decided on: a second copy is refused. */
    @Test
    void metadataNeedsNoOpenWrites() {
        live((client, path) -> {
            cluster.startServer();
            String before = cluster.servers().get(0);
            cluster.stop(before);
            while (cluster.servers().contains(before)) {
                cluster.scheduler().pause(100);
            }
            MetadataRow last = metadata.read(MetadataSchema.LAST).orElseThrow();
            String damaged = last.state().getFiles().stream()
                    .filter(OpenWrites::isFile)
                    .findFirst()
                    .orElseThrow()
                    .getPath();
            cluster.flip(damaged, length(damaged) - 1);
            restart();
            client.table("t").apply(RowMutation.of("r").set("f", "q", "later").build());
            cluster.scheduler().pause(120_000);
            Checkup.of(ports);
        });
    }

    private void restart() throws InterruptedException {
        cluster.crashOneServer();
        cluster.startServer();
    }

    /** The files of the table's so-manieth tablet that say which writes were open. */
    private List<String> openWrites(int tablet) throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).get(tablet).state().getFiles().stream()
                .filter(OpenWrites::isFile)
                .map(FileReference::getPath)
                .toList();
    }

    /** Of the upper tablet, without those that say which writes were open. */
    private List<FileReference> files() throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).get(1).state().getFiles().stream()
                .filter(file -> !OpenWrites.isFile(file))
                .toList();
    }

    @FunctionalInterface
    private interface Story {
        void tell(Bigtable client, String path) throws Exception;
    }

    /** A table of two tablets, of which the upper one has one file. */
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
                                List.of(BEHIND));
                Table table = client.table("t");
                table.apply(RowMutation.of("a").set("f", "q", "value").build());
                table.apply(RowMutation.of("r").set("f", "q", "value").build());
                client.admin().flush("t");
                story.tell(
                        client,
                        metadata.scan(1, 1).get(1).state().getFiles().get(0).getPath());
            } catch (InterruptedException stopped) {
                throw stopped;
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private void assertToldAtOnce(String path, ThrowingCallable asked) {
        long begin = cluster.scheduler().clock().nanos();
        assertTold(path, asked);
        assertThat(cluster.scheduler().clock().nanos() - begin).isLessThan(AT_ONCE_NANOS);
    }

    private static void assertTold(String path, ThrowingCallable asked) {
        assertThatThrownBy(asked)
                .isInstanceOfSatisfying(CorruptionException.class, told -> assertThat(told.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED))
                .hasMessageContaining("table t, rows behind " + BEHIND + " to the last: " + path);
    }

    private int length(String path) throws BigtableException {
        try (FileReader reader = ports.files().open(path)) {
            return (int) reader.length();
        }
    }
}
