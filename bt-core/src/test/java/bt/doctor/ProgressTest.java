package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.AskedWork.Left;
import bt.doctor.AskedWork.Times;
import bt.doctor.AskedWork.Undone;
import bt.metadata.MetadataRow;
import bt.metadata.TableFile;
import bt.model.RowRange;
import bt.record.CompactionFile;
import bt.record.MergeFile;
import bt.record.MoveFile;
import bt.record.Phase;
import bt.record.RowSpan;
import bt.record.SplitFile;
import bt.record.SweepFile;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TabletLocation;
import bt.record.TabletMove;
import bt.record.TabletState;
import bt.testing.Faults;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** The ninth invariant broken: what somebody has begun stands still, and the doctor says what and where. */
class ProgressTest {
    private static final RowRange FIRST = RowRange.of(Bytes.EMPTY, Bytes.utf8("h\0"));

    @Test
    void aCompactionThatNobodyDoesIsNamed() {
        Patient.treat(61, patient -> {
            CompactionFile asked = new CompactionFile(1L, "t", buffer(""), buffer("g"));
            askAndLeaveAlone(patient, Paths.COMPACTIONS, asked);
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .matches(finding -> finding.place().equals(new Place("t", Optional.of(FIRST), "compactions/1")))
                    .extracting(Finding::fact)
                    .asString()
                    .startsWith("a major compaction of the rows [, g) is asked for since 12")
                    .contains("still to be done in 1 places, here in 1/h: nothing has changed for 12");
        });
    }

    @Test
    void aFlushThatNobodyDoesIsNamedAndAYoungOneIsNot() {
        Patient.treat(62, patient -> {
            patient.cluster.crashActiveMaster();
            patient.locks.create(
                    Paths.FLUSHES + "/1", AvroBytes.encode(new CompactionFile(1L, "t", buffer("i"), null)));
            assertThat(facts(patient)).isEmpty();
            patient.pause(Duration.ofMinutes(20));
            assertThat(facts(patient)).singleElement().asString().contains("a flush of the rows [i, …)", "2 places");
        });
    }

    @Test
    void aSplitThatNobodyMakesIsNamedByItsRow() {
        Patient.treat(63, patient -> {
            SplitFile asked = new SplitFile(1L, "t", List.of(buffer("h"), buffer("m")), false, null, null);
            askAndLeaveAlone(patient, Paths.SPLITS, asked);
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .matches(finding -> finding.place()
                            .equals(new Place("t", Optional.of(RowRange.row(Bytes.utf8("m"))), "splits/1")));
        });
    }

    @Test
    void aSplitOfEveryTabletThatNobodyMakesIsNamed() {
        Patient.treat(64, patient -> {
            SplitFile asked = new SplitFile(1L, "t", List.of(), true, buffer("h"), null);
            askAndLeaveAlone(patient, Paths.SPLITS, asked);
            assertThat(facts(patient)).singleElement().asString().contains("2 places, here in 1/p");
        });
    }

    @Test
    void aMoveThatNobodyMakesIsNamedByItsRow() {
        Patient.treat(66, patient -> {
            MoveFile asked = new MoveFile(1L, "t", List.of(new TabletMove(buffer("a"), "server-9")));
            askAndLeaveAlone(patient, Paths.MOVES, asked);
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .matches(finding -> finding.place().file().equals("moves/1"));
        });
    }

    @Test
    void aMergeThatNobodyMakesIsNamedByItsRows() {
        Patient.treat(65, patient -> {
            MergeFile asked = new MergeFile(1L, "t", List.of(new RowSpan(buffer("a"), buffer("k"))));
            askAndLeaveAlone(patient, Paths.MERGES, asked);
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .matches(finding -> finding.place()
                            .equals(new Place(
                                    "t", Optional.of(RowRange.closed(Bytes.utf8("a"), Bytes.utf8("k"))), "merges/1")));
        });
    }

    @Test
    void workThatFailsIsNamedThoughOtherTabletsGetOn() {
        Left failing = new Left(Optional.of(Patient.FIRST), FIRST, Optional.of("no room"));
        Undone undone = Undone.NOTHING
                .with(new Left(Optional.of(Patient.LAST), RowRange.from(Bytes.utf8("p\0")), Optional.empty()))
                .with(failing);
        AskedWork asked =
                new AskedWork("flushes/1", "flush", "t", RowRange.ALL, new Times(0, 99_000_000, 100_000_000), undone);
        assertThat(new AskedProgress(60_000).check(asked))
                .containsExactly(new Finding(
                        Rule.PROGRESS,
                        new Place("t", Optional.of(FIRST), "flushes/1"),
                        "a flush of the rows [, …) is asked for since 100 s, and still to be done in 2 places,"
                                + " here in 1/h: no room"));
    }

    @Test
    void aDrainFromWhichNoTabletLeavesIsNamed() {
        Patient.treat(66, patient -> {
            TabletLocation drained = patient.row(Patient.FIRST).location();
            patient.cluster.crashActiveMaster();
            patient.locks.create(Paths.draining(drained.getServer()), Bytes.EMPTY);
            assertThat(facts(patient)).isEmpty();
            patient.pause(Duration.ofMinutes(20));
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .matches(finding -> finding.place().equals(Place.file("draining/" + drained.getServer()))
                            && finding.fact().startsWith("the server is drained since 12"));
        });
    }

    @Test
    void aSweepOfGarbageThatNobodyDoesIsNamedAndAYoungOneIsNot() {
        Patient.treat(71, patient -> {
            patient.cluster.crashActiveMaster();
            patient.locks.create(Paths.SWEEPS + "/0", AvroBytes.encode(new SweepFile(false)));
            assertThat(facts(patient)).isEmpty();
            patient.pause(Duration.ofMinutes(20));
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.PROGRESS)
                    .singleElement()
                    .matches(finding -> finding.place().equals(Place.file("sweeps/0")))
                    .extracting(Finding::fact)
                    .asString()
                    .startsWith("a sweep of garbage is asked for, and no master has got on with it for 12");
        });
    }

    /** Each directory of files takes its time; it takes longer in all than anything may stand still. */
    @Test
    void aSweepOfGarbageThatGetsOnIsNotNamedHoweverLongItTakes() {
        Patient.treat(72, patient -> {
            DoctorConfig hasty = new DoctorConfig(DoctorConfig.Depth.NAMES, 172_800_000, 150_000, 1_000, 6_000);
            patient.cluster.setFileFaults(
                    patient.cluster.masters().get(0),
                    (operation, path) ->
                            operation == FileOperation.LIST ? new Fault(40_000, Faults.Failure.NONE) : Faults.NONE);
            patient.client.admin().startSweep(false);
            patient.pause(Duration.ofSeconds(151));
            for (int i = 0; i < 5; i++) {
                assertThat(patient.locks.children(Paths.SWEEPS)).containsExactly("0");
                assertThat(patient.examine(hasty).findings()).isEmpty();
                patient.pause(Duration.ofSeconds(5));
            }
        });
    }

    @Test
    void aTabletThatIsLoadedForLongIsNamedAsAMoveLeavesIt() {
        Patient.treat(67, patient -> {
            patient.cluster.crashActiveMaster();
            MetadataRow row = patient.row(Patient.FIRST);
            TabletLocation loading = TabletLocation.newBuilder(row.location())
                    .setPhase(Phase.LOADING)
                    .build();
            patient.metadata.replace(row, loading, row.state(), "planted");
            patient.pause(Duration.ofMinutes(20));
            assertThat(facts(patient)).singleElement().asString().startsWith("it is LOADING, and nothing has changed");
        });
    }

    @Test
    void aRecoveryThatDoesNotEndIsNamed() {
        Patient.treat(68, patient -> {
            patient.cluster.crashActiveMaster();
            patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                    .setLogs(List.of(999L))
                    .build());
            patient.pause(Duration.ofMinutes(20));
            assertThat(facts(patient))
                    .singleElement()
                    .asString()
                    .startsWith("it is not recovered from the logs of [999]");
        });
    }

    @Test
    void aTabletOfADroppedTableThatIsStillServedIsNamed() {
        Patient.treat(69, patient -> {
            patient.cluster.crashActiveMaster();
            SmallFile file = patient.locks.read(Paths.table(1)).orElseThrow();
            TableRecord dropped = TableFile.decode("table", file.content());
            dropped.setPhase(TablePhase.DROPPED);
            dropped.setDroppedMicros(file.modifiedMicros());
            patient.locks.write(Paths.table(1), TableFile.encode(dropped), file.version());
            patient.pause(Duration.ofMinutes(20));
            assertThat(facts(patient))
                    .hasSize(3)
                    .allMatch(fact -> fact.startsWith("its table is dropped, it is SERVING"));
        });
    }

    /** So that METADATA says what no server says, and why. */
    @Test
    void aTabletThatItsServerCannotLoadIsNamedWithTheReason() {
        Patient.treat(70, patient -> {
            TabletLocation holder = patient.row(Patient.FIRST).location();
            String path = patient.file(Patient.FIRST).getPath();
            patient.files.delete(path);
            patient.cluster.crash(holder.getAddress());
            patient.pause(Duration.ofMinutes(2));
            patient.cluster.crashActiveMaster();
            assertThat(facts(patient)).anyMatch(fact -> fact.contains(" cannot load it: ") && fact.contains(path));

            MetadataRow row = patient.row(Patient.FIRST);
            TabletLocation serving = TabletLocation.newBuilder(row.location())
                    .setPhase(Phase.SERVING)
                    .build();
            patient.metadata.replace(row, serving, row.state(), "planted");
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.rule() == Rule.CUSTODY)
                    .singleElement()
                    .extracting(Finding::fact)
                    .asString()
                    .contains("METADATA has it SERVING at", "which says LOADING: " + path);
        });
    }

    private static void askAndLeaveAlone(Patient patient, String directory, SpecificRecord asked)
            throws BigtableException, InterruptedException {
        patient.cluster.crashActiveMaster();
        patient.locks.create(directory + "/1", AvroBytes.encode(asked));
        patient.pause(Duration.ofMinutes(20));
    }

    private static List<String> facts(Patient patient) throws BigtableException, InterruptedException {
        return patient.examine().findings().stream()
                .filter(finding -> finding.rule() == Rule.PROGRESS)
                .map(Finding::fact)
                .toList();
    }

    private static ByteBuffer buffer(String text) {
        return AvroBytes.buffer(Bytes.utf8(text));
    }
}
