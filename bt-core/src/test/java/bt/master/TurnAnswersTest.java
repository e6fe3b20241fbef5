package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class TurnAnswersTest {
    private final TurnAnswers answers = new TurnAnswers();
    private final List<CompletableFuture<Done>> made = new ArrayList<>();

    private CompletableFuture<? extends SpecificRecord> ask(SpecificRecord question) throws Exception {
        return answers.to(question, () -> {
            made.add(new CompletableFuture<>());
            return made.get(made.size() - 1);
        });
    }

    @Test
    void whoAsksTheSameInOneTurnIsToldTheSame() throws Exception {
        assertThat(ask(new ClusterStatusRequest())).isSameAs(ask(new ClusterStatusRequest()));
        assertThat(made).hasSize(1);
    }

    @Test
    void anotherQuestionAndAnotherTurnHaveAnAnswerOfTheirOwn() throws Exception {
        CompletableFuture<?> first = ask(new ClusterStatusRequest());
        assertThat(ask(new WorkRequest())).isNotSameAs(first);
        answers.begin();
        assertThat(ask(new ClusterStatusRequest())).isNotSameAs(first);
        assertThat(made).hasSize(3);
    }
}
