package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.coord.Paths;
import bt.fs.FileInfo;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.model.RowRange;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The fifth invariant broken: a log without segments, or that the wrong one may write, or nobody. */
class LogHoldsTest {
    private static final Place FIRST = new Place("t", Optional.of(RowRange.of(Bytes.EMPTY, Bytes.utf8("h\0"))), "");

    @Test
    void aLivingServersLogWithoutSegmentsIsNamed() {
        Patient.treat(41, patient -> {
            long epoch = patient.row(Patient.FIRST).location().getEpoch();
            for (FileInfo segment : patient.files.list("log/" + epoch)) {
                if (segment.name().startsWith("user-")) {
                    patient.files.delete("log/" + epoch + "/" + segment.name());
                }
            }
            assertThat(patient.examine().findings())
                    .contains(new Finding(
                            Rule.NEEDED_LOGS,
                            FIRST.of("log/" + epoch),
                            "the log of a living server has no segment user-…"));
        });
    }

    /** As whoever takes it for dead does; it makes others as soon as it has to write. */
    @Test
    void aLivingServersLogThatSomebodyHasClosedIsNamed() {
        Patient.treat(42, patient -> {
            long epoch = patient.row(Patient.FIRST).location().getEpoch();
            for (FileInfo segment : patient.files.list("log/" + epoch)) {
                long unused = patient.files.fence("log/" + epoch + "/" + segment.name(), 1_000);
            }
            assertThat(patient.examine().findings())
                    .contains(new Finding(
                            Rule.NEEDED_LOGS,
                            FIRST.of("log/" + epoch),
                            "a living server can write none of its segments user-…: all are closed"));
        });
    }

    @Test
    void aDeadServersSegmentThatIsStillOpenIsNamedAtEveryDepth() {
        Patient.treat(43, patient -> {
            patient.files.makeDirectory("recovered/999");
            try (FileWriter open = patient.files.create("recovered/999/user-0000000001", Placement.LOG)) {
                open.append(new byte[10], 0, 10);
                patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                        .setLogs(List.of(999L))
                        .build());
                for (DoctorConfig.Depth depth : List.of(DoctorConfig.Depth.NAMES, DoctorConfig.Depth.OPEN)) {
                    assertThat(patient.examine(DoctorConfig.DEFAULT.at(depth)).findings())
                            .containsExactly(new Finding(
                                    Rule.NEEDED_LOGS,
                                    FIRST.of("recovered/999"),
                                    "the segment recovered/999/user-0000000001 of a dead server is not closed"));
                }
            }
        });
    }

    @Test
    void aDeadServersLogThatNobodyTookFromItIsNamed() {
        Patient.treat(44, patient -> {
            TabletLocation dead = patient.row(Patient.FIRST).location();
            patient.cluster.crashActiveMaster();
            patient.cluster.crash(dead.getAddress());
            patient.pause(Duration.ofMinutes(1));
            // What a master does first, and then dies.
            patient.locks.delete(Paths.server(dead.getServer()));
            assertThat(patient.examine().findings())
                    .anyMatch(finding -> finding.place().file().equals("log/" + dead.getEpoch())
                            && finding.fact().startsWith("the log of a dead server lies where that may write it"));
        });
    }
}
