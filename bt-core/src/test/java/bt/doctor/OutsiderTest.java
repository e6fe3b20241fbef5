package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.fs.FileInfo;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.record.TabletState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The doctor looks on: it needs no master, gets as far as servers answer, and leaves everything as it was. */
class OutsiderTest {
    /** Of a cluster in which nothing else happens: its files, the lock service's with their versions, and METADATA's rows. */
    private record Everything(Map<String, Long> files, Map<String, SmallFile> locks, List<MetadataRow> rows) {
        static Everything of(Patient patient) throws BigtableException, InterruptedException {
            Map<String, Long> files = new TreeMap<>();
            list(patient, "", files);
            Map<String, SmallFile> locks = new TreeMap<>();
            for (String directory : List.of(
                    Paths.TABLES,
                    Paths.SERVERS,
                    Paths.DRAINING,
                    Paths.COMPACTIONS,
                    Paths.FLUSHES,
                    Paths.SPLITS,
                    Paths.MERGES,
                    Paths.MOVES,
                    Paths.CREATIONS,
                    Paths.SWEEPS,
                    Paths.USAGE)) {
                for (String name : patient.locks.children(directory)) {
                    read(patient, directory + "/" + name, locks);
                }
            }
            for (String name : List.of(Paths.INSTANCE, Paths.MASTER, Paths.ROOT, Paths.ACCESS, Paths.FILES)) {
                read(patient, name, locks);
            }
            return new Everything(
                    files,
                    locks,
                    List.of(patient.row(Patient.FIRST), patient.row(Patient.SECOND), patient.row(Patient.LAST)));
        }

        private static void list(Patient patient, String directory, Map<String, Long> found) throws BigtableException {
            for (FileInfo file : patient.files.list(directory)) {
                String path = directory.isEmpty() ? file.name() : directory + "/" + file.name();
                // METADATA's log goes on: its servers say so often that they are there.
                if (file.directory()) {
                    list(patient, path, found);
                } else if (!path.startsWith("log/")) {
                    found.put(path, file.bytes());
                }
            }
        }

        private static void read(Patient patient, String path, Map<String, SmallFile> found) throws BigtableException {
            patient.locks.read(path).ifPresent(file -> found.put(path, file));
        }
    }

    /** What {@code --fix} would mend, and what it would not. */
    @Test
    void withoutFixNothingIsChanged() {
        Patient.treat(91, patient -> {
            patient.cluster.crashActiveMaster();
            String missing = patient.file(Patient.FIRST).getPath();
            patient.files.delete(missing);
            patient.write("data/1/99/1", 10);
            patient.write("recovered/777/user-0000000001", 10);
            MetadataRow row = patient.row(Patient.FIRST);
            patient.metadata.replace(row, TabletStates.unassigned(), row.state(), "planted");
            patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                    .setPreviousEndRow(AvroBytes.buffer(Bytes.utf8("k")))
                    .setOffline("bt doctor: " + missing + " is missing")
                    .build());
            patient.locks.create(Paths.draining("ghost"), Bytes.EMPTY);
            patient.pause(Duration.ofMinutes(20));

            Everything before = Everything.of(patient);
            Diagnosis diagnosis =
                    patient.examine(new DoctorConfig(DoctorConfig.Depth.READ, 1_000, 60_000, 10_000, 6_000));
            assertThat(diagnosis.repairs()).isEmpty();
            assertThat(diagnosis.findings())
                    .extracting(Finding::rule)
                    .contains(
                            Rule.TILING,
                            Rule.CUSTODY,
                            Rule.FILES,
                            Rule.UNREFERENCED_FILES,
                            Rule.UNNEEDED_LOGS,
                            Rule.PROGRESS,
                            Rule.MEMBERSHIP);
            assertThat(Everything.of(patient)).isEqualTo(before);

            assertThat(patient.mend().repairs())
                    .as("there was something to mend")
                    .isNotEmpty();
            assertThat(Everything.of(patient)).isNotEqualTo(before);
        });
    }

    @Test
    void itNeedsNoMaster() {
        Patient.treat(92, patient -> {
            patient.cluster.crashActiveMaster();
            patient.pause(Duration.ofMinutes(1));
            Diagnosis diagnosis = patient.examine();
            assertThat(diagnosis.findings())
                    .containsExactly(new Finding(Rule.MEMBERSHIP, Place.file("master"), "no master holds its lock"));
            assertThat(diagnosis.tablets()).isEqualTo(5);
            assertThat(diagnosis.omissions())
                    .as("blocks, which it did not read")
                    .hasSize(1);
        });
    }

    @Test
    void withoutServersItSaysThatMetadataCannotBeReadAndWhatItLeftOut() {
        Patient.treat(93, patient -> {
            patient.cluster.crashActiveMaster();
            for (String server : new ArrayList<>(patient.cluster.servers())) {
                patient.cluster.kill(server);
            }
            patient.pause(Duration.ofMinutes(1));
            Diagnosis diagnosis = patient.examine();
            assertThat(diagnosis.findings())
                    .anyMatch(finding -> finding.rule() == Rule.METADATA
                            && finding.fact().startsWith("METADATA cannot be read behind this row: "))
                    .anyMatch(finding -> finding.fact().endsWith(" has a server file and no lock"));
            assertThat(diagnosis.omissions()).hasSize(2);
        });
    }

    @Test
    void aLockServiceWithoutTheRootTabletsFileIsNamed() {
        Patient.treat(94, patient -> {
            patient.cluster.crashActiveMaster();
            patient.locks.delete(Paths.ROOT);
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.METADATA)
                    .extracting(Finding::fact)
                    .contains("the lock service has no file root");
        });
    }
}
