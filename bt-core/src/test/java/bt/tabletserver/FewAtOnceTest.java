package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FewAtOnceTest {
    private static final int MANY = 100_000;

    private final List<CompletableFuture<Void>> begun = new ArrayList<>();

    private CompletableFuture<Void> begin() {
        CompletableFuture<Void> work = new CompletableFuture<>();
        begun.add(work);
        return work;
    }

    @Test
    void whatComesLaterBeginsWhenSomethingHasEndedWellOrNot() {
        FewAtOnce few = new FewAtOnce(2, MANY);
        List<CompletableFuture<Void>> asked =
                IntStream.range(0, 4).mapToObj(i -> few.begin(this::begin)).toList();
        assertThat(begun).hasSize(2);
        begun.get(1).completeExceptionally(new IllegalStateException("no room"));
        assertThat(begun).hasSize(3);
        assertThat(asked.get(1)).isCompletedExceptionally();
        begun.get(0).complete(null);
        assertThat(begun).hasSize(4);
        begun.get(2).complete(null);
        assertThat(asked.get(0)).isCompleted();
        assertThat(asked.get(2)).isCompleted();
        assertThat(asked.get(3)).isNotDone();
    }

    @Test
    void muchThatEndsAsItBeginsIsDoneInOneGo() {
        FewAtOnce few = new FewAtOnce(1, MANY);
        CompletableFuture<Void> first = few.begin(this::begin);
        List<CompletableFuture<Void>> rest = IntStream.range(0, MANY)
                .mapToObj(i -> few.begin(() -> CompletableFuture.completedFuture(null)))
                .toList();
        begun.get(0).complete(null);
        assertThat(first).isCompleted();
        assertThat(rest).allMatch(CompletableFuture::isDone);
    }

    @Test
    void noMoreWaitThanMay() {
        FewAtOnce few = new FewAtOnce(1, 1);
        CompletableFuture<Void> working = few.begin(this::begin);
        CompletableFuture<Void> waiting = few.begin(this::begin);
        assertThatThrownBy(few.begin(this::begin)::join).hasCauseInstanceOf(UnavailableException.class);
        assertThat(working).isNotDone();
        assertThat(waiting).isNotDone();
        assertThat(begun).hasSize(1);
    }
}
