package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.doctor.DoctorConfig.Depth;
import bt.fs.FileInfo;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.record.FileReference;
import bt.record.TabletLocation;
import bt.record.TabletState;
import bt.sstable.ForgedTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What only who reads files to their end sees, and who does not says that he has not: a healthy index lies before each. */
class DepthTest {
    @Test
    void aFileOfMoreEntriesThanItsPropertiesSayIsNamed() {
        Patient.treat(81, patient -> {
            String path = patient.file(Patient.SECOND).getPath();
            replace(patient, path, ForgedTable.saysEntries(patient.read(path), 2));
            assertOnlyReadingSees(
                    patient,
                    new Finding(Rule.FILES, placeOfSecond(patient, path), path + ": 1 entries, by its properties 2"));
        });
    }

    @Test
    void aFileWhoseKeysDoNotAscendIsNamed() {
        Patient.treat(82, patient -> {
            FileReference file = writeTwoRows(patient);
            String path = file.getPath();
            replace(patient, path, ForgedTable.saysFirstKey(patient.read(path), Bytes.utf8("ma"), 1, (byte) 'c'));
            Place place = placeOfSecond(patient, path);
            assertThat(patient.examine(at(Depth.OPEN)).findings()).isEmpty();
            assertThat(patient.examine(at(Depth.READ)).findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.FILES
                            && finding.place().equals(place)
                            && finding.fact().startsWith(path));
        });
    }

    /** The log was closed and sorted long ago; a tablet that is said to need it would be recovered without a record. */
    @Test
    void aFlippedByteInARecordOfALogThatIsNeededIsNamed() {
        Patient.treat(83, patient -> {
            TabletLocation dead = patient.row(Patient.FIRST).location();
            patient.cluster.crash(dead.getAddress());
            patient.pause(Duration.ofMinutes(2));
            patient.cluster.crashActiveMaster();
            patient.alter(Patient.FIRST, state -> TabletState.newBuilder(state)
                    .setLogs(List.of(dead.getEpoch()))
                    .build());
            assertThat(patient.examine(at(Depth.READ)).findings())
                    .noneMatch(finding -> finding.rule() == Rule.NEEDED_LOGS);
            String log = "recovered/" + dead.getEpoch();
            Place place = new Place("t", Optional.of(patient.row(Patient.FIRST).range()), log);
            String segment = flip(patient, log, Bytes.utf8("value of a"));
            assertThat(patient.examine(at(Depth.OPEN)).findings())
                    .noneMatch(finding -> finding.rule() == Rule.NEEDED_LOGS);
            assertThat(patient.examine(at(Depth.READ)).findings())
                    .filteredOn(finding -> finding.rule() == Rule.NEEDED_LOGS)
                    .singleElement()
                    .matches(finding ->
                            finding.place().equals(place) && finding.fact().startsWith(segment));
        });
    }

    private static DoctorConfig at(Depth depth) {
        return DoctorConfig.DEFAULT.at(depth);
    }

    private static Place placeOfSecond(Patient patient, String path) throws BigtableException, InterruptedException {
        return new Place("t", Optional.of(patient.row(Patient.SECOND).range()), path);
    }

    private static void assertOnlyReadingSees(Patient patient, Finding finding)
            throws BigtableException, InterruptedException {
        assertThat(patient.examine(at(Depth.OPEN)).findings()).isEmpty();
        assertThat(patient.examine(at(Depth.READ)).findings()).containsExactly(finding);
    }

    private static void replace(Patient patient, String path, byte[] bytes) throws BigtableException {
        patient.files.delete(path);
        patient.write(path, bytes);
    }

    /** Into one block of a file of their own; of values that no codec makes shorter. */
    private static FileReference writeTwoRows(Patient patient) throws BigtableException, InterruptedException {
        Random random = new Random(1);
        for (String row : List.of("ma", "mb")) {
            byte[] value = new byte[300];
            random.nextBytes(value);
            patient.client
                    .table("t")
                    .apply(RowMutation.of(row)
                            .set(ColumnKey.of("f", "q"), Bytes.wrap(value))
                            .build());
        }
        patient.client.admin().flush("t");
        List<FileReference> files = patient.row(Patient.SECOND).state().getFiles();
        return files.stream()
                .max((one, other) -> Long.compare(one.getBytes(), other.getBytes()))
                .orElseThrow();
    }

    /** A byte of a record of the log that holds this; in which segment. */
    private static String flip(Patient patient, String log, Bytes held) throws BigtableException {
        for (FileInfo file : patient.files.list(log)) {
            String path = log + "/" + file.name();
            if (file.directory() || !file.name().startsWith("user-")) {
                continue;
            }
            byte[] bytes = patient.read(path);
            for (int at = 0; at + held.length() <= bytes.length; at++) {
                if (Bytes.copyOf(bytes, at, held.length()).equals(held)) {
                    patient.cluster.flip(path, at);
                    return path;
                }
            }
        }
        throw new AssertionError("no segment of " + log + " holds " + held);
    }
}
