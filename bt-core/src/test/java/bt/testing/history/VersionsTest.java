package bt.testing.history;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.history.Operation.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionsTest {
    private static final Operation X = write("x", 1, 2);
    private static final Operation Y = write("y", 3, 4);

    @Test
    void whatWasAcknowledgedIsThereOnce() {
        assertThat(Versions.check("r", List.of(X, Y), List.of("y", "x"))).isEmpty();
    }

    @Test
    void aLostVersionIsFound() {
        assertThat(kinds(List.of(X, Y), "y")).containsExactly("lost");
    }

    @Test
    void aWriteThatWasAppliedTwiceIsFound() {
        assertThat(kinds(List.of(X, Y), "x", "y", "x")).contains("applied twice");
    }

    @Test
    void aVersionThatNobodyWroteIsFound() {
        assertThat(kinds(List.of(X), "z", "x")).containsExactly("invented");
    }

    @Test
    void whatWasRefusedAndIsThereIsFound() {
        Operation refused =
                Operation.swap("c", "r", Optional.of("v"), Optional.of("y"), 3).answered(Result.REFUSED, 4);
        assertThat(kinds(List.of(X, refused), "y", "x")).containsExactly("refused and done");
        Operation failed = Operation.write("c", "r", Optional.of("y"), 3).answered(Result.FAILED, 4);
        assertThat(kinds(List.of(X, failed), "y", "x")).containsExactly("refused and done");
    }

    @Test
    void versionsInTheWrongOrderAreFound() {
        assertThat(kinds(List.of(X, Y), "x", "y")).containsExactly("order");
    }

    @Test
    void versionsInTheWrongOrderAreFoundWhateverIsBetweenThem() {
        Operation meanwhile = write("m", 1, 4);
        assertThat(kinds(List.of(X, Y, meanwhile), "y", "m", "x")).isEmpty();
        assertThat(kinds(List.of(X, Y, meanwhile), "x", "m", "y")).containsExactly("order");
    }

    @Test
    void anUnknownWriteIsThereOnceOrNot() {
        Operation unknown = Operation.write("c", "r", Optional.of("y"), 3);
        assertThat(kinds(List.of(X, unknown), "x")).isEmpty();
        assertThat(kinds(List.of(X, unknown), "y", "x")).isEmpty();
        assertThat(kinds(List.of(X, unknown), "y", "y", "x")).contains("applied twice");
    }

    @Test
    void aDeletionTakesWhatCameBeforeAndNothingElse() {
        Operation deletion = Operation.write("c", "r", Optional.empty(), 3).answered(Result.DONE, 4);
        Operation later = write("z", 5, 6);
        assertThat(kinds(List.of(X, deletion, later), "z")).isEmpty();
        assertThat(kinds(List.of(X, deletion, later))).containsExactly("lost");
        assertThat(kinds(List.of(X, deletion, later), "z", "x")).containsExactly("resurrected");
        // One whose end nobody knows may come after anything.
        Operation unknown = Operation.write("c", "r", Optional.empty(), 1);
        assertThat(kinds(List.of(X, unknown, later))).isEmpty();
        assertThat(kinds(List.of(X, unknown, later), "z", "x")).isEmpty();
        // But not take one and leave an older one.
        assertThat(kinds(List.of(X, unknown, later), "x")).containsExactly("lost");
    }

    @Test
    void aMissingLinkIsFound() {
        assertThat(Chain.check(Map.of("a", "", "b", "a", "c", "b"))).isEmpty();
        assertThat(Chain.check(Map.of("a", "", "c", "b")))
                .singleElement()
                .extracting(Anomaly::row)
                .isEqualTo("b");
    }

    private static List<String> kinds(List<Operation> operations, String... found) {
        return Versions.check("r", operations, List.of(found)).stream()
                .map(Anomaly::checker)
                .toList();
    }

    private static Operation write(String value, long begun, long ended) {
        return Operation.write("c", "r", Optional.of(value), begun).answered(Result.DONE, ended);
    }
}
