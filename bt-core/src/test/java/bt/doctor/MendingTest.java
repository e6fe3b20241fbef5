package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.FamilySchema;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.ServerFile;
import bt.record.TabletLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code bt doctor --fix} mends, and what it leaves alone. */
class MendingTest {
    /** Of a table that does not exist, so that no server has it. */
    private static final TabletId NOBODYS = new TabletId(77, Optional.empty());

    /** Where the first tablet was served, by a server that died a minute ago; no master is there any more. */
    private static TabletLocation leftByTheDead(Patient patient) throws BigtableException, InterruptedException {
        TabletLocation dead = patient.row(Patient.FIRST).location();
        patient.cluster.crash(dead.getAddress());
        patient.pause(Duration.ofMinutes(1));
        patient.cluster.crashActiveMaster();
        return dead;
    }

    @Test
    void aTabletOfADeadServerIsReleasedOnceItsLogIsClosed() {
        Patient.treat(1, patient -> {
            TabletLocation dead = leftByTheDead(patient);
            plant(patient, dead);
            assertThat(patient.mend().repairs())
                    .extracting(Diagnosis.Repair::done)
                    .containsExactly("is nobody's now, to be recovered from recovered/" + dead.getEpoch());
            MetadataRow row = patient.row(NOBODYS);
            assertThat(row.location().getPhase()).isEqualTo(Phase.UNASSIGNED);
            assertThat(row.state().getLogs()).containsExactly(dead.getEpoch());
        });
    }

    /** It may have lost its file a moment ago, and answers reads under its lease. */
    @Test
    void theLeaseOfTheDeadServerIsWaitedForOnce() {
        Patient.treat(6, patient -> {
            TabletLocation dead = leftByTheDead(patient);
            plant(patient, NOBODYS, dead);
            plant(patient, new TabletId(78, Optional.empty()), dead);
            DoctorConfig impatient = DoctorConfig.DEFAULT.patient(100);
            Duration before = patient.cluster.scheduler().elapsed();
            assertThat(patient.mend(impatient.leased(600_000)).repairs()).hasSize(2);
            Duration took = patient.cluster.scheduler().elapsed().minus(before);
            assertThat(took).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(19));
        });
    }

    /** Settings are changed server by server; of the dead one nobody knows any more which it had. */
    @Test
    void theLongestLeaseThatAServerTellsIsTakenForThatOfTheDead() {
        Patient.treat(6, patient -> {
            TabletLocation dead = leftByTheDead(patient);
            plant(patient, NOBODYS, dead);
            ServerFile patientServer = new ServerFile("ghost:1", "n", "0.1.0", "", 600_000L);
            patient.locks.create(Paths.server("ghost_1_n"), AvroBytes.encode(patientServer));
            Duration before = patient.cluster.scheduler().elapsed();
            assertThat(patient.mend(DoctorConfig.DEFAULT.patient(100)).repairs())
                    .hasSize(1);
            Duration took = patient.cluster.scheduler().elapsed().minus(before);
            assertThat(took).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(19));
        });
    }

    @Test
    void theLeasesOfSeveralDeadServersAreWaitedForTogether() {
        Patient.treat(6, patient -> {
            patient.cluster.startServer();
            List<TabletLocation> dead = new ArrayList<>();
            while (dead.size() < 2) {
                dead.add(patient.row(Patient.FIRST).location());
                patient.cluster.crash(dead.get(dead.size() - 1).getAddress());
                patient.pause(Duration.ofMinutes(1));
            }
            patient.cluster.crashActiveMaster();
            assertThat(dead.get(0).getEpoch()).isNotEqualTo(dead.get(1).getEpoch());
            plant(patient, NOBODYS, dead.get(0));
            plant(patient, new TabletId(78, Optional.empty()), dead.get(1));
            DoctorConfig impatient = DoctorConfig.DEFAULT.patient(100);
            Duration before = patient.cluster.scheduler().elapsed();
            assertThat(patient.mend(impatient.leased(600_000)).repairs()).hasSize(2);
            Duration took = patient.cluster.scheduler().elapsed().minus(before);
            assertThat(took).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(19));
        });
    }

    @Test
    void aTabletWhoseLogIsNotClosedIsLeftAlone() {
        Patient.treat(2, patient -> {
            TabletLocation empty = serverWithoutTablets(patient);
            patient.cluster.crashActiveMaster();
            patient.cluster.crash(empty.getAddress());
            patient.pause(Duration.ofMinutes(1));
            // What a master does first, and then dies.
            patient.locks.delete(Paths.server(empty.getServer()));
            plant(patient, empty);
            Diagnosis diagnosis = patient.mend();
            assertThat(diagnosis.repairs()).isEmpty();
            assertThat(diagnosis.findings())
                    .filteredOn(finding -> finding.place().table().equals("#77"))
                    .extracting(Finding::rule)
                    .contains(Rule.CUSTODY);
            assertThat(patient.row(NOBODYS).location()).isEqualTo(empty);
        });
    }

    /** And nobody misses a log of that server. */
    @Test
    void aTabletThatADeadServerWasToLoadIsReleasedWithoutItsLog() {
        Patient.treat(5, patient -> {
            patient.cluster.crashActiveMaster();
            TabletLocation gone = new TabletLocation(Phase.LOADING, "gone", "gone:1", 4_711L);
            plant(patient, gone);
            Diagnosis diagnosis = patient.mend();
            assertThat(diagnosis.repairs())
                    .extracting(Diagnosis.Repair::done)
                    .containsExactly("is nobody's now, to be loaded by another server");
            assertThat(diagnosis.findings()).extracting(Finding::rule).doesNotContain(Rule.NEEDED_LOGS);
            MetadataRow row = patient.row(NOBODYS);
            assertThat(row.location().getPhase()).isEqualTo(Phase.UNASSIGNED);
            assertThat(row.state().getLogs()).isEmpty();
        });
    }

    @Test
    void aTabletWithoutOneOfItsFilesIsMarkedUntilTheFileIsBack() {
        Patient.treat(3, patient -> {
            TabletLocation holder = patient.row(Patient.FIRST).location();
            String path = patient.file(Patient.FIRST).getPath();
            byte[] content = patient.read(path);
            patient.files.delete(path);
            assertThat(patient.mend().repairs()).as("while it is served").isEmpty();

            patient.cluster.crash(holder.getAddress());
            patient.pause(Duration.ofMinutes(1));
            Diagnosis marked = mendUntilRepaired(patient);
            assertThat(marked.repairs())
                    .extracting(Diagnosis.Repair::done)
                    .allMatch(done -> done.startsWith("is marked to stay offline"));
            assertThat(marked.findings()).extracting(Finding::rule).contains(Rule.FILES);
            assertThat(patient.row(Patient.FIRST).state().getOffline()).isEqualTo("bt doctor: " + path + " is missing");

            patient.write(path, content);
            assertThat(mendUntilRepaired(patient).repairs())
                    .extracting(Diagnosis.Repair::done)
                    .contains("may be loaded again: all files that it needs are there");
            try (Bigtable client = patient.cluster.client()) {
                assertThat(client.table("t").read(Bytes.utf8("a"))).isPresent();
            }
            assertThat(patient.examine().findings()).isEmpty();
        });
    }

    /** Servers do without it. */
    @Test
    void aMissingFileOfOpenWritesIsNoReasonToStayOffline() {
        Patient.treat(3, patient -> {
            TabletLocation holder = patient.row(Patient.LAST).location();
            String open = patient.row(Patient.LAST).state().getFiles().stream()
                    .filter(file -> FamilySchema.areOfServers(file.getFamilies()))
                    .findFirst()
                    .orElseThrow()
                    .getPath();
            String path = patient.file(Patient.LAST).getPath();
            assertThat(path).isNotEqualTo(open);
            byte[] content = patient.read(path);
            patient.files.delete(open);
            patient.files.delete(path);
            patient.cluster.crash(holder.getAddress());
            patient.pause(Duration.ofMinutes(1));
            mendUntilRepaired(patient);
            assertThat(patient.row(Patient.LAST).state().getOffline()).isEqualTo("bt doctor: " + path + " is missing");

            patient.write(path, content);
            assertThat(mendUntilRepaired(patient).repairs())
                    .extracting(Diagnosis.Repair::done)
                    .contains("may be loaded again: all files that it needs are there");
            try (Bigtable client = patient.cluster.client()) {
                assertThat(client.table("t").read(Bytes.utf8("z"))).isPresent();
            }
            assertThat(patient.examine().findings())
                    .singleElement()
                    .extracting(Finding::rule)
                    .isEqualTo(Rule.FILES);
        });
    }

    /** A master that gives the tablet to one server after the other may be faster. */
    private static Diagnosis mendUntilRepaired(Patient patient) throws BigtableException, InterruptedException {
        Diagnosis diagnosis = patient.mend();
        for (int i = 0; i < 10 && diagnosis.repairs().isEmpty(); i++) {
            diagnosis = patient.mend();
        }
        return diagnosis;
    }

    private static void plant(Patient patient, TabletLocation location) throws BigtableException, InterruptedException {
        plant(patient, NOBODYS, location);
    }

    private static void plant(Patient patient, TabletId id, TabletLocation location)
            throws BigtableException, InterruptedException {
        MetadataRow row = patient.metadata.create(id, TabletStates.empty(Optional.empty()), "planted");
        patient.metadata.replace(row, location, row.state(), "planted");
    }

    private static TabletLocation serverWithoutTablets(Patient patient) throws BigtableException, InterruptedException {
        List<String> before = patient.locks.children(Paths.SERVERS);
        patient.cluster.startServer();
        patient.pause(Duration.ofSeconds(10));
        List<String> after = new ArrayList<>(patient.locks.children(Paths.SERVERS));
        after.removeAll(before);
        SmallFile file = patient.locks.read(Paths.server(after.get(0))).orElseThrow();
        ServerFile server = AvroBytes.decode("server file", file.content(), ServerFile.class);
        return new TabletLocation(Phase.SERVING, after.get(0), server.getAddress(), file.createdTransaction());
    }
}
