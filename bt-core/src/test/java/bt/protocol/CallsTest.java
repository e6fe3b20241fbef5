package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.FencedException;
import bt.base.OverloadedException;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.protocol.Request.Mutate;
import bt.protocol.Request.Scan;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that lost its lock says FENCED: to whoever asked it is one that is not there. */
class CallsTest {
    private static final Address SERVER = new Address("server", 1);
    private static final Scan SCAN =
            new Scan(1, RowRange.row(Bytes.utf8("r")), Filter.ALL, PageBounds.DEFAULT, Optional.empty());
    private static final Mutate MUTATE = new Mutate(
            1,
            List.of(new Write(RowMutation.of("r").set("f", "q", "v").build(), new WriteId(1, 1, 1), Optional.empty())));

    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private Calls answering(CompletableFuture<Answer> answer) {
        return new Calls((to, request, timeoutMillis) -> answer, scheduler, 1_000);
    }

    private Deadline deadline() {
        return Deadline.after(scheduler.clock(), 1_000);
    }

    @Test
    void aRequestThatIsFencedIsUnavailableAndItsOutcomeStays() {
        for (Outcome outcome : Outcome.values()) {
            FencedException fenced = new FencedException("the lock is lost", outcome);
            assertThatThrownBy(() ->
                            answering(CompletableFuture.failedFuture(fenced)).scan(SERVER, SCAN, deadline()))
                    .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                            .isEqualTo(outcome))
                    .hasMessageContaining("server:1: the lock is lost")
                    .hasCause(fenced);
        }
    }

    @Test
    void aWriteThatIsFencedIsToo() throws Exception {
        FencedException fenced = new FencedException("the lock is lost", Outcome.UNKNOWN);
        Answer answer = new Answer.Mutated(List.of(WriteResult.failed(fenced)));
        WriteResult result = answering(CompletableFuture.completedFuture(answer))
                .mutate(SERVER, MUTATE, deadline())
                .get(0);
        assertThat(result.failure().orElseThrow())
                .isInstanceOfSatisfying(UnavailableException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.UNKNOWN))
                .hasCause(fenced);
    }

    @Test
    void whatIsNotFencedIsAsItCame() throws Exception {
        Answer answer = new Answer.Mutated(List.of(WriteResult.applied(7)));
        assertThat(answering(CompletableFuture.completedFuture(answer)).mutate(SERVER, MUTATE, deadline()))
                .containsExactly(WriteResult.applied(7));
    }

    @Test
    void ofSeveralWritesTheFencedAloneIsAnother() throws Exception {
        FencedException fenced = new FencedException("the lock is lost", Outcome.NOT_APPLIED);
        WriteResult overloaded = WriteResult.failed(new OverloadedException("come later", 10));
        Write write = MUTATE.writes().get(0);
        Answer answer = new Answer.Mutated(List.of(WriteResult.applied(7), overloaded, WriteResult.failed(fenced)));
        List<WriteResult> results = answering(CompletableFuture.completedFuture(answer))
                .mutate(SERVER, new Mutate(1, List.of(write, write, write)), deadline());
        assertThat(results.subList(0, 2)).containsExactly(WriteResult.applied(7), overloaded);
        assertThat(results.get(2).failure().orElseThrow())
                .isInstanceOf(UnavailableException.class)
                .hasCause(fenced);
    }

    @Test
    void nothingIsMadeForWritesThatWereApplied() throws Exception {
        Answer.Mutated answer = new Answer.Mutated(List.of(WriteResult.applied(7)));
        assertThat(answering(CompletableFuture.completedFuture(answer)).mutate(SERVER, MUTATE, deadline()))
                .isSameAs(answer.results());
    }
}
