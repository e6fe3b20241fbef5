package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.Scheduler.Worker;
import bt.base.UnavailableException;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SteppedSchedulerTest {
    private final SimScheduler simulated = new SimScheduler(1);
    private final SteppedScheduler scheduler = new SteppedScheduler(simulated);
    private final CompletableFuture<String> answer = new CompletableFuture<>();

    /** What the counted worker has had of it. */
    private final List<String> had = new ArrayList<>();

    @Test
    void aLongWaitIsAStepEachQuarterOfAMinute() {
        await(() -> {
            simulated.pause(50_000);
            assertThat(scheduler.steps()).isEqualTo(3);
            simulated.pause(11_000);
            assertThat(scheduler.steps()).isEqualTo(4);
            assertThat(had).containsExactly(new UnavailableException("no answer within 60000 ms").toString());
        });
    }

    @Test
    void anAnswerIsHadWhenItComes() {
        await(() -> {
            simulated.pause(20_000);
            answer.complete("the answer");
            simulated.pause(1);
            assertThat(had).containsExactly("the answer");
        });
    }

    @Test
    void soIsAFailure() {
        await(() -> {
            simulated.pause(20_000);
            RejectedException refused = new RejectedException("not today", "ask for another");
            answer.completeExceptionally(refused);
            simulated.pause(1);
            assertThat(had).containsExactly(refused.toString());
        });
    }

    /** Nobody asks for the steps of others. */
    @Test
    void theWaitsOfOthersAreNoSteps() {
        simulated.run(Duration.ofMinutes(10), () -> {
            scheduler.pause(1_000);
            assertThat(scheduler.steps()).isZero();
        });
    }

    private interface Story {
        void tell() throws InterruptedException;
    }

    /** A worker that is counted waits for a minute. */
    private void await(Story story) {
        simulated.run(Duration.ofMinutes(10), () -> {
            Worker worker = scheduler.start("counted", () -> {
                try {
                    had.add(scheduler.await(answer, 60_000));
                } catch (BigtableException failed) {
                    had.add(failed.toString());
                }
            });
            scheduler.count(worker);
            story.tell();
        });
    }
}
