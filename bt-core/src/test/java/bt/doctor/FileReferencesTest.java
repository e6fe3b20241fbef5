package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.RowMutation;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The third and the seventh invariant broken by what METADATA says of a file, and of its tablet. */
class FileReferencesTest {
    @Test
    void aFileOfAnotherLengthIsNamed() {
        Patient.treat(71, patient -> assertThat(findings(patient, file -> FileReference.newBuilder(file)
                        .setBytes(file.getBytes() + 1)
                        .build()))
                .singleElement()
                .matches(finding -> finding.rule() == Rule.FILES)
                .extracting(Finding::fact)
                .asString()
                .matches("the file has \\d+ bytes, by METADATA \\d+"));
    }

    @Test
    void aFileWithOtherSequencesIsNamed() {
        Patient.treat(72, patient -> assertThat(findings(patient, file -> FileReference.newBuilder(file)
                        .setSmallestSequence(file.getSmallestSequence() - 1)
                        .build()))
                .singleElement()
                .matches(finding -> finding.rule() == Rule.FILES)
                .extracting(Finding::fact)
                .asString()
                .matches("the file has the sequences \\d+ to \\d+, by METADATA \\d+ to \\d+"));
    }

    @Test
    void aFileWithoutAFamilyThatItIsSaidToHaveIsNamed() {
        Patient.treat(73, patient -> assertThat(findings(patient, file -> FileReference.newBuilder(file)
                        .setFamilies(List.of(1, 7))
                        .build()))
                .singleElement()
                .matches(finding -> finding.rule() == Rule.FILES)
                .extracting(Finding::fact)
                .isEqualTo("the file has families [1], by METADATA [1, 7]"));
    }

    @Test
    void aReferenceWhoseSequencesEndBeforeTheyBeginIsNamed() {
        Patient.treat(74, patient -> assertThat(findings(patient, file -> FileReference.newBuilder(file)
                        .setSmallestSequence(file.getLargestSequence() + 1)
                        .build()))
                .anyMatch(finding -> finding.rule() == Rule.SEQUENCES
                        && finding.place().file().startsWith("data/1/")
                        && finding.fact().startsWith("sequences from ")));
    }

    @Test
    void aRedoPointAboveAllSequencesIsNamed() {
        Patient.treat(75, patient -> {
            patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                    .setRedoPoint(CellKey.MAX_SEQUENCE + 1)
                    .build());
            assertThat(patient.examine().findings())
                    .singleElement()
                    .matches(finding ->
                            finding.rule() == Rule.SEQUENCES && finding.fact().startsWith("the redo point is "));
        });
    }

    @Test
    void aRedoPointBelowAllSequencesIsNamed() {
        Patient.treat(76, patient -> {
            patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                    .setRedoPoint(-1)
                    .setFiles(List.of())
                    .build());
            assertThat(patient.examine().findings())
                    .singleElement()
                    .matches(finding -> finding.rule() == Rule.SEQUENCES)
                    .extracting(Finding::fact)
                    .isEqualTo("the redo point is -1, not 0 to 2^62");
        });
    }

    /** Their tablets end in the midst of a row that is longer than what servers keep of a file's keys. */
    @Test
    void aFileThatShowsLongRowsOfAnotherTabletIsNamedAndOneThatDoesNotIsNot() {
        Patient.treat(77, patient -> {
            String beginning = "k".repeat(1_000);
            writeRows(patient, beginning + "a", beginning + "z");
            TabletId lower = new TabletId(1, Optional.of(Bytes.utf8(beginning + "m")));
            patient.client.admin().splitTablet("t", lower.endRow().orElseThrow());
            assertThat(patient.examine().findings()).isEmpty();

            writeRows(patient, beginning + "b", beginning + "y");
            assertThat(patient.row(Patient.SECOND).state().getFiles())
                    .anyMatch(file -> file.getClipStart() == null && file.getClipEnd() == null);
            assertThat(patient.examine().findings()).isEmpty();

            patient.alter(lower, state -> TabletState.newBuilder(state)
                    .setFiles(state.getFiles().stream()
                            .map(file -> FileReference.newBuilder(file)
                                    .setClipEnd(null)
                                    .build())
                            .toList())
                    .build());
            assertThat(patient.examine().findings())
                    .anyMatch(finding -> finding.rule() == Rule.FILES
                            && finding.fact().contains("the file shows rows of another tablet: "));
        });
    }

    private static void writeRows(Patient patient, String... rows) throws BigtableException {
        for (String row : rows) {
            patient.client
                    .table("t")
                    .apply(RowMutation.of(row).set("f", "q", "v").build());
        }
        patient.client.admin().flush("t");
    }

    private static List<Finding> findings(Patient patient, UnaryOperator<FileReference> change)
            throws BigtableException, InterruptedException {
        patient.alter(Patient.SECOND, state -> TabletState.newBuilder(state)
                .setFiles(List.of(change.apply(state.getFiles().get(0))))
                .build());
        return patient.examine().findings();
    }
}
