package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.coord.Paths;
import bt.fs.FileInfo;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.SplitIntent;
import bt.metadata.TabletStates;
import bt.model.ColumnKey;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.Intent;
import bt.record.Phase;
import bt.record.ServerFile;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each invariant is broken in a cluster that runs, and the doctor says so: which, where, what. */
class DoctorTest {
    @Test
    void aHealthyClusterHasNoFindings() {
        Patient.treat(1, patient -> {
            Diagnosis diagnosis = patient.examine(DoctorConfig.DEFAULT.at(DoctorConfig.Depth.READ));
            assertThat(diagnosis.findings()).isEmpty();
            assertThat(diagnosis.omissions()).isEmpty();
            // METADATA's two and the table's three, of which each has a file.
            assertThat(diagnosis.tablets()).isEqualTo(5);
            assertThat(diagnosis.files()).isGreaterThanOrEqualTo(3);
            assertThat(diagnosis.servers()).isEqualTo(2);
        });
    }

    @Test
    void rowsThatNoTabletHasAreNamed() {
        Patient.treat(2, patient -> {
            patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                    .setPreviousEndRow(AvroBytes.buffer(Bytes.utf8("k")))
                    .build());
            assertThat(patient.examine().findings())
                    .contains(new Finding(
                            Rule.TILING,
                            new Place("t", Optional.of(range("h\0", "k\0")), ""),
                            "no tablet has these rows: 1/h ends before, 1/p begins behind"));
        });
    }

    @Test
    void rowsThatTwoTabletsHaveAreNamed() {
        Patient.treat(3, patient -> {
            patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                    .setPreviousEndRow(AvroBytes.buffer(Bytes.utf8("b")))
                    .build());
            assertThat(patient.examine().findings())
                    .contains(new Finding(
                            Rule.TILING,
                            new Place("t", Optional.of(range("b\0", "h\0")), ""),
                            "both 1/h and 1/p have these rows"));
        });
    }

    @Test
    void aTableWithoutItsLastTabletIsNamedAndWhoServesItStill() {
        Patient.treat(4, patient -> {
            patient.alter(
                    Patient.LAST,
                    state -> TabletState.newBuilder(state).setGone(true).build());
            List<Finding> findings = patient.examine().findings();
            assertThat(findings).extracting(Finding::rule).contains(Rule.TILING).contains(Rule.CUSTODY);
            assertThat(findings)
                    .filteredOn(finding -> finding.rule() == Rule.CUSTODY)
                    .singleElement()
                    .extracting(Finding::fact)
                    .asString()
                    .endsWith("serves 1/…, of which METADATA has no row");
        });
    }

    @Test
    void aTabletThatTwoServersHaveIsNamed() {
        Patient.treat(5, patient -> {
            TabletLocation one = patient.row(Patient.FIRST).location();
            TabletLocation other = other(patient, one);
            MetadataRow row = patient.row(Patient.FIRST);
            patient.crashMaster();
            patient.metadata.replace(row, other, row.state(), "planted");
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.CUSTODY)
                    .extracting(Finding::fact)
                    .anyMatch(fact -> fact.contains("epoch " + one.getEpoch() + " serves it"))
                    .anyMatch(fact -> fact.contains(
                            other.getServer() + " of epoch " + other.getEpoch() + ", which does not have it"));
        });
    }

    /** And no master does what it would do by itself. */
    @Test
    void aTabletOfAServerWithoutAServerFileIsNamed() {
        Patient.treat(22, patient -> {
            patient.cluster.crashActiveMaster();
            MetadataRow row = patient.row(Patient.FIRST);
            TabletLocation ghost = new TabletLocation(Phase.SERVING, "ghost", "ghost:1", 424_242L);
            patient.metadata.replace(row, ghost, row.state(), "planted");
            assertThat(patient.examine().findings())
                    .contains(new Finding(
                            Rule.CUSTODY,
                            new Place("t", Optional.of(row.range()), ""),
                            "METADATA has it SERVING at ghost of epoch 424242, which has no server file"));
        });
    }

    @Test
    void aMissingFileIsNamedWithItsTabletsRows() {
        Patient.treat(6, patient -> {
            String path = patient.file(Patient.SECOND).getPath();
            patient.files.delete(path);
            assertThat(patient.examine().findings())
                    .containsExactly(new Finding(
                            Rule.FILES, new Place("t", Optional.of(range("h\0", "p\0")), path), "the file is missing"));
        });
    }

    @Test
    void aFileThatWasWrittenOverIsNamed() {
        Patient.treat(7, patient -> {
            FileReference file = patient.file(Patient.SECOND);
            patient.files.delete(file.getPath());
            patient.write(file.getPath(), (int) file.getBytes());
            assertThat(patient.examine().findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.FILES
                            && finding.place().file().equals(file.getPath())
                            && finding.fact().startsWith(file.getPath()));
        });
    }

    /** Its index and properties are whole: only who reads all blocks finds it, and who does not says so. */
    @Test
    void aFlippedByteOfABlockIsNamedByWhoReadsBlocksAndNotPassedOverInSilence() {
        Patient.treat(18, patient -> {
            String path = patient.file(Patient.SECOND).getPath();
            patient.cluster.flip(path, 40);
            Diagnosis opened = patient.examine(DoctorConfig.DEFAULT.at(DoctorConfig.Depth.OPEN));
            assertThat(opened.findings()).isEmpty();
            assertThat(opened.omissions()).singleElement().asString().contains("checksums", "bt doctor --files read");
            Diagnosis read = patient.examine(DoctorConfig.DEFAULT.at(DoctorConfig.Depth.READ));
            assertThat(read.omissions()).isEmpty();
            assertThat(read.findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.FILES
                            && finding.place().equals(new Place("t", Optional.of(range("h\0", "p\0")), path))
                            && finding.fact().startsWith(path + " at ")
                            && finding.fact().contains("crc"));
        });
    }

    @Test
    void aFileWithRowsOfAnotherTabletIsNamed() {
        Patient.treat(8, patient -> {
            FileReference foreign = patient.file(Patient.LAST);
            patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                    .setRedoPoint(Math.max(state.getRedoPoint(), foreign.getLargestSequence()))
                    .setLastServerTimestamp(Long.MAX_VALUE)
                    .setFiles(List.of(state.getFiles().get(0), foreign))
                    .build());
            assertThat(patient.examine().findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.FILES
                            && finding.place().file().equals(foreign.getPath())
                            && finding.fact().startsWith("the file shows rows of another tablet"));
        });
    }

    @Test
    void aClipKeepsTheRowsOfAnotherTabletOut() {
        Patient.treat(9, patient -> {
            FileReference foreign = FileReference.newBuilder(patient.file(Patient.LAST))
                    .setClipEnd(AvroBytes.buffer(Bytes.utf8("h\0")))
                    .build();
            patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                    .setRedoPoint(Math.max(state.getRedoPoint(), foreign.getLargestSequence()))
                    .setLastServerTimestamp(Long.MAX_VALUE)
                    .setFiles(List.of(state.getFiles().get(0), foreign))
                    .build());
            assertThat(patient.examine().findings()).isEmpty();
        });
    }

    @Test
    void anOldFileWithoutAReferenceIsNamedAndAYoungOneIsNot() {
        Patient.treat(10, patient -> {
            patient.write("data/1/99/1", 10);
            assertThat(patient.examine().findings()).isEmpty();
            patient.pause(Duration.ofMinutes(10));
            assertThat(patient.examine(grace(300_000)).findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.UNREFERENCED_FILES
                            && finding.place().equals(new Place("t", Optional.empty(), "data/1/99/1")));
        });
    }

    @Test
    void aLogThatATabletNeedsAndThatIsGoneIsNamed() {
        Patient.treat(11, patient -> {
            patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                    .setLogs(List.of(999L))
                    .build());
            assertThat(patient.examine().findings())
                    .containsExactly(new Finding(
                            Rule.NEEDED_LOGS,
                            new Place("t", Optional.of(RowRange.of(Bytes.EMPTY, Bytes.utf8("h\0"))), "recovered/999"),
                            "the log of a dead server is missing: no segment user-…"));
        });
    }

    @Test
    void aLogWithAHoleIsNamed() {
        Patient.treat(12, patient -> {
            long epoch = patient.row(Patient.FIRST).location().getEpoch();
            for (FileInfo segment : patient.files.list("log/" + epoch)) {
                if (segment.name().equals("user-0000000001")) {
                    patient.files.delete("log/" + epoch + "/" + segment.name());
                }
            }
            patient.cluster.crash(patient.row(Patient.FIRST).location().getAddress());
            patient.pause(Duration.ofMinutes(1));
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.NEEDED_LOGS)
                    .isNotEmpty()
                    .allMatch(finding -> finding.place().file().equals("recovered/" + epoch));
        });
    }

    @Test
    void anOldLogThatNobodyNeedsIsNamed() {
        Patient.treat(13, patient -> {
            patient.write("recovered/777/user-0000000001", 10);
            assertThat(patient.examine().findings()).isEmpty();
            patient.pause(Duration.ofMinutes(10));
            assertThat(patient.examine(grace(300_000)).findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.UNNEEDED_LOGS
                            && finding.place().equals(Place.file("recovered/777")));
        });
    }

    @Test
    void aRedoPointThatHasFallenIsNamed() {
        Patient.treat(14, patient -> {
            FileReference file = patient.file(Patient.SECOND);
            patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                    .setRedoPoint(file.getLargestSequence() - 1)
                    .setLastServerTimestamp(1)
                    .build());
            assertThat(patient.examine().findings())
                    .allMatch(finding -> finding.rule() == Rule.SEQUENCES)
                    .filteredOn(finding -> finding.place().file().equals(file.getPath()))
                    .singleElement()
                    .matches(finding -> finding.fact().contains("above the tablet's redo point")
                            && finding.fact().contains("a server gave the timestamp"));
        });
    }

    @Test
    void whatBreaksARuleInMetadataIsTheEighth() {
        Patient.treat(15, patient -> {
            patient.alter(MetadataSchema.LAST, state -> TabletState.newBuilder(state)
                    .setLogs(List.of(999L))
                    .build());
            assertThat(patient.examine().findings())
                    .containsExactly(new Finding(
                            Rule.METADATA,
                            new Place(
                                    "METADATA",
                                    Optional.of(patient.row(MetadataSchema.LAST).range()),
                                    "recovered/999"),
                            "the log of a dead server is missing: no segment metadata-… (invariant 5)"));
        });
    }

    @Test
    void aDamagedRowOfMetadataIsNamed() {
        Patient.treat(16, patient -> {
            patient.damage(Patient.SECOND);
            Diagnosis diagnosis = patient.examine();
            assertThat(diagnosis.findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.METADATA
                            && finding.fact().contains("location:before disagrees with state:"));
            assertThat(diagnosis.omissions()).hasSize(2);
        });
    }

    @Test
    void aDamagedRowOfMetadataKeepsNoOtherTabletOffline() {
        Patient.treat(16, patient -> {
            patient.damage(Patient.SECOND);
            Set<String> servers = new TreeSet<>();
            for (TabletId id : List.of(Patient.FIRST, Patient.LAST)) {
                servers.add(patient.row(id).location().getAddress());
            }
            for (String server : servers) {
                patient.cluster.startServer();
                patient.cluster.crash(server);
            }
            try (Bigtable client = patient.cluster.client()) {
                Table table = client.table("t");
                for (String row : List.of("a", "z")) {
                    assertThat(table.read(Bytes.utf8(row)).orElseThrow().value(ColumnKey.of("f", "q")))
                            .contains(Bytes.utf8("value of " + row));
                }
                // No death concerned it: it is read as all rows are, behind the others' recovery.
                patient.pause(Duration.ofSeconds(30));
                assertThat(client.admin().clusterStatus().problems())
                        .anyMatch(problem -> problem.startsWith("table t, rows behind h up to p: METADATA row 1/p, ")
                                && problem.contains("location:before disagrees with state:"));
            }
        });
    }

    @Test
    void aDamagedRowOfATabletThatIsToBeDrainedStopsNeitherTheDrainOfOthersNorTheMaster() {
        Patient.treat(16, patient -> {
            String drained = patient.row(Patient.SECOND).location().getAddress();
            patient.damage(Patient.SECOND);
            patient.cluster.startServer();
            try (Bigtable client = patient.cluster.client()) {
                client.admin().startDrain(drained);
                patient.pause(Duration.ofSeconds(20));
                String other = patient.row(Patient.FIRST).location().getAddress();
                assertThat(other).isNotEqualTo(drained);
                assertThat(patient.row(Patient.LAST).location().getAddress()).isNotEqualTo(drained);

                patient.cluster.crash(other);
                Table table = client.table("t");
                for (String row : List.of("a", "z")) {
                    assertThat(table.read(Bytes.utf8(row)).orElseThrow().value(ColumnKey.of("f", "q")))
                            .contains(Bytes.utf8("value of " + row));
                }
            }
        });
    }

    @Test
    void aTabletThatMustStayOfflineIsNamed() {
        Patient.treat(17, patient -> {
            patient.alter(
                    Patient.FIRST,
                    state -> TabletState.newBuilder(state).setOffline("a test").build());
            assertThat(patient.examine().findings())
                    .singleElement()
                    .matches(finding ->
                            finding.rule() == Rule.PROGRESS && finding.fact().equals("stays offline: a test"));
        });
    }

    @Test
    void aTabletThatNobodyTakesIsNamed() {
        Patient.treat(18, patient -> {
            patient.cluster.crashActiveMaster();
            MetadataRow row = patient.row(Patient.FIRST);
            patient.metadata.replace(row, TabletStates.unassigned(), row.state(), "planted");
            patient.pause(Duration.ofMinutes(20));
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .extracting(Finding::fact)
                    .asString()
                    .startsWith("it is UNASSIGNED, and nothing has changed for 12");
        });
    }

    /** Whoever reads METADATA reads the intent as if the row stood there; that it stands so for long is named. */
    @Test
    void aSplitThatNobodyCompletesLeavesNoRowsWithoutATablet() {
        Patient.treat(23, patient -> {
            patient.cluster.crashActiveMaster();
            MetadataRow whole = patient.row(Patient.SECOND);
            TabletId lower = new TabletId(1, Optional.of(Bytes.utf8("m")));
            Intent intent = new SplitIntent(new MetadataRow(lower, 0, 0, whole.location(), whole.state())).encode();
            patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                    .setPreviousEndRow(AvroBytes.buffer(Bytes.utf8("m")))
                    .setIntents(List.of(intent))
                    .build());
            patient.pause(Duration.ofMinutes(20));
            Diagnosis diagnosis = patient.examine();
            assertThat(diagnosis.tablets()).isEqualTo(6);
            assertThat(diagnosis.findings())
                    .noneMatch(finding -> finding.rule() == Rule.TILING)
                    .anyMatch(finding -> finding.fact().startsWith("the second half of a split is still to be done"));
        });
    }

    @Test
    void aChangeOfTwoRowsThatNobodyCompletesIsNamed() {
        Patient.treat(22, patient -> {
            Intent half = Intent.newBuilder()
                    .setKind("test")
                    .setRow(AvroBytes.buffer(MetadataKeys.of(Patient.SECOND)))
                    .setGeneration(1)
                    .setState(AvroBytes.buffer(Bytes.EMPTY))
                    .setLocation(AvroBytes.buffer(Bytes.EMPTY))
                    .build();
            patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                    .setIntents(List.of(half))
                    .build());
            assertThat(patient.examine().findings()).isEmpty();
            patient.cluster.crashActiveMaster();
            patient.pause(Duration.ofMinutes(20));
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .matches(finding -> finding.fact().startsWith("the second half of a test is still to be done"));
        });
    }

    @Test
    void aServerFileWithoutALockAndAMasterWithoutOneAreNamed() {
        Patient.treat(19, patient -> {
            patient.cluster.crashActiveMaster();
            patient.pause(Duration.ofMinutes(1));
            patient.locks.create(
                    Paths.server("ghost_1_n"), AvroBytes.encode(new ServerFile("ghost:1", "n", "0.1.0", "", 0L)));
            assertThat(patient.examine().findings())
                    .extracting(
                            finding -> finding.rule() + " " + finding.place().file())
                    .containsExactly("MEMBERSHIP master", "MEMBERSHIP ghost_1_n");
        });
    }

    @Test
    void filesOfAnotherInstanceAreNamed() {
        Patient.treat(20, patient -> {
            patient.files.delete("instance");
            patient.write("instance", 3);
            assertThat(patient.examine().findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.MEMBERSHIP
                            && finding.place().file().equals("instance"));
        });
    }

    @Test
    void aRowOfATableThatDoesNotExistIsNamed() {
        Patient.treat(21, patient -> {
            patient.cluster.crashActiveMaster();
            patient.metadata.create(
                    new TabletId(77, Optional.empty()), TabletStates.empty(Optional.empty()), "planted");
            patient.pause(Duration.ofMinutes(20));
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .extracting(Finding::fact)
                    .asString()
                    .startsWith("it is of a table that does not exist");
        });
    }

    private static DoctorConfig grace(long millis) {
        DoctorConfig config = DoctorConfig.DEFAULT;
        return new DoctorConfig(
                config.depth(), millis, config.stuckMillis(), config.patienceMillis(), config.leaseMillis());
    }

    private static TabletLocation other(Patient patient, TabletLocation than)
            throws BigtableException, InterruptedException {
        for (TabletId id : List.of(Patient.FIRST, Patient.SECOND, Patient.LAST, MetadataSchema.ROOT)) {
            TabletLocation location = patient.row(id).location();
            if (location.getEpoch() != than.getEpoch()) {
                return location;
            }
        }
        throw new AssertionError("one server has all tablets");
    }

    private static RowRange range(String from, String to) {
        return RowRange.of(Bytes.utf8(from), Bytes.utf8(to));
    }
}
