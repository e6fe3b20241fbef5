package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharedAnswerTest {
    private final SharedAnswer<Integer> shared = new SharedAnswer<>();
    private final Queue<Runnable> worker = new ArrayDeque<>();
    private int made;

    private CompletableFuture<Integer> ask() {
        return shared.ask(begun -> {
            CompletableFuture<Integer> done = new CompletableFuture<>();
            worker.add(() -> {
                begun.run();
                done.complete(++made);
            });
            return done;
        });
    }

    @Test
    void whoAsksWhileOneWaitsGetsThat() {
        CompletableFuture<Integer> first = ask();
        CompletableFuture<Integer> second = ask();
        assertThat(worker).hasSize(1);
        worker.remove().run();
        assertThat(first).isCompletedWithValue(1);
        assertThat(second).isCompletedWithValue(1);
    }

    @Test
    void whoAsksAfterOneWasBegunGetsAnother() {
        CompletableFuture<Integer> first = ask();
        worker.remove().run();
        CompletableFuture<Integer> second = ask();
        worker.remove().run();
        assertThat(first).isCompletedWithValue(1);
        assertThat(second).isCompletedWithValue(2);
    }

    @Test
    void whoIsNotInterestedAnyMoreTakesItFromNobody() {
        CompletableFuture<Integer> first = ask();
        CompletableFuture<Integer> second = ask();
        first.cancel(false);
        worker.remove().run();
        assertThat(second).isCompletedWithValue(1);
    }

    @Test
    void whatWasRefusedIsNotWaitedFor() {
        CompletableFuture<Integer> refused =
                shared.ask(begun -> CompletableFuture.failedFuture(new OverloadedException("full", 100)));
        assertThatThrownBy(refused::join).hasCauseInstanceOf(OverloadedException.class);
        CompletableFuture<Integer> next = ask();
        worker.remove().run();
        assertThat(next).isCompletedWithValue(1);
    }
}
