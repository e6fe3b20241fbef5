package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import bt.protocol.WriteResult;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkRefusal;
import bt.record.WorkReport;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsersWordsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "4/m is not served",
                "4/… has too many files",
                "table web: 17/com.cnn is closed here",
                "tablet 4/m does not hold row f",
                "table 4 row r takes no writes",
                "table 4 was dropped"
            })
    void aNumberOfATableIsFound(String text) {
        assertThat(told(text)).hasSize(4).containsOnly(Optional.of(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "table web row m: its tablet has too many files",
                "table web4 row r takes no writes",
                "METADATA row 4/m: its previous end row is not before its end row",
                "data/4/12/1: OPEN was made to fail",
                "the tablet that ends with row m is not served: log/user-3/7 is being recovered",
                "server-1:4711/x does not answer (attempt 3)"
            })
    void whatUsersKnowIsNot(String text) {
        assertThat(told(text)).containsOnly(Optional.empty());
    }

    /** As a failure, of one write among others, as what hinders an operation, and as why none is possible. */
    private static List<Optional<String>> told(String text) {
        UnavailableException failure = new UnavailableException(text, Outcome.NOT_APPLIED);
        Answer mutated = new Answer.Mutated(List.of(WriteResult.applied(1), WriteResult.failed(failure)));
        WorkRefusal refusal = new WorkRefusal(AvroBytes.buffer(Bytes.utf8("r")), false, text);
        return List.of(
                UsersWords.numbered(null, failure),
                UsersWords.numbered(mutated, null),
                UsersWords.numbered(report(new WorkLine("web", TableWork.MOVE, 1, text, List.of())), null),
                UsersWords.numbered(report(new WorkLine("web", TableWork.MOVE, 1, null, List.of(refusal))), null));
    }

    private static Answer report(WorkLine line) {
        return new Answer.Control(new WorkReport(List.of(line)));
    }
}
