package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.TabletListing;
import bt.record.ReachServer;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whom a witness says to have reached. */
class WitnessTest {
    private static final long EPOCH = 7;

    static {
        // A status has records by default.
        AvroBytes.trustRecords();
    }

    private final List<Request> asked = new ArrayList<>();

    @Test
    void whoTellsItsStatusAnswers() {
        assertThat(reaches(status(EPOCH))).isTrue();
        assertThat(reaches(status(EPOCH + 1))).as("a new tenant of the address").isFalse();
    }

    /** Be it that it is asked for more than it can tell: it has heard the question. */
    @Test
    void whoRefusesAnswers() {
        assertThat(reaches(failed(new RejectedException("an answer of 90000000 bytes", "ask for less"))))
                .isTrue();
    }

    @Test
    void whoIsNotHeardDoesNotAnswer() {
        assertThat(reaches(failed(new UnavailableException("no answer in 3,000 ms"))))
                .isFalse();
    }

    /** It lives that says so itself; of one that does not answer the connection is full in the end. Nobody is taken for dead for it. */
    @Test
    void whoIsOverloadedIsNeitherSaidToAnswerNorToBeSilent() {
        OverloadedException overloaded = new OverloadedException("too much for one server", 10);
        assertThatThrownBy(() -> reaches(failed(overloaded))).hasCause(overloaded);
    }

    /** However long the list of its tablets is. */
    @Test
    void itIsNotAskedForItsTablets() {
        reaches(status(EPOCH));
        assertThat(asked).singleElement().isInstanceOfSatisfying(Request.Control.class, question -> {
            ServerStatusRequest status = (ServerStatusRequest) question.message();
            assertThat(status.getHeardList()).isEqualTo(TabletListing.NO_TABLETS);
        });
    }

    private boolean reaches(CompletableFuture<Answer> answer) {
        Witness witness = new Witness((to, request, timeoutMillis) -> {
            asked.add(request);
            return answer;
        });
        return witness.reach(new ReachServer("silent:1", EPOCH)).join().getAnswers();
    }

    private static CompletableFuture<Answer> failed(BigtableException failure) {
        return CompletableFuture.failedFuture(failure);
    }

    private static CompletableFuture<Answer> status(long epoch) {
        RequestReport none = new RequestReport(0L, 0L, List.of());
        return CompletableFuture.completedFuture(new Answer.Control(ServerStatus.newBuilder()
                .setServer("silent")
                .setEpoch(epoch)
                .setLockHeld(true)
                .setPid(1)
                .setTablets(List.of())
                .setReads(none)
                .setWrites(none)
                .build()));
    }
}
