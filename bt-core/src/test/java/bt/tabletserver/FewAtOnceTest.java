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
        List<CompletableFuture<Void>> asked = IntStream.range(0, 4)
                .mapToObj(i -> few.begin("ada", this::begin))
                .toList();
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
        FewAtOnce few = new FewAtOnce(1, 2 * MANY);
        CompletableFuture<Void> first = few.begin("ada", this::begin);
        List<CompletableFuture<Void>> rest = IntStream.range(0, MANY)
                .mapToObj(i -> few.begin("ada", () -> CompletableFuture.completedFuture(null)))
                .toList();
        begun.get(0).complete(null);
        assertThat(first).isCompleted();
        assertThat(rest).allMatch(CompletableFuture::isDone);
    }

    @Test
    void noMoreWaitThanMay() {
        FewAtOnce few = new FewAtOnce(1, 1);
        CompletableFuture<Void> working = few.begin("ada", this::begin);
        CompletableFuture<Void> waiting = few.begin("ada", this::begin);
        assertThatThrownBy(few.begin("ada", this::begin)::join).hasCauseInstanceOf(UnavailableException.class);
        assertThat(working).isNotDone();
        assertThat(waiting).isNotDone();
        assertThat(begun).hasSize(1);
    }

    @Test
    void whoHasLittleStandsBehindNobodysMuch() {
        FewAtOnce few = new FewAtOnce(1, MANY);
        List<CompletableFuture<Void>> mallorys = IntStream.range(0, MANY)
                .mapToObj(i -> few.begin("mallory", this::begin))
                .toList();
        CompletableFuture<Void> adas = few.begin("ada", this::begin);
        assertThat(adas).as("there is a place left").isNotDone();
        for (int i = 0; i < 3; i++) {
            begun.get(i).complete(null);
        }
        assertThat(adas).isCompleted();
        assertThat(mallorys.subList(0, 3)).filteredOn(CompletableFuture::isDone).hasSize(2);
    }

    @Test
    void refusalsAreOneWithoutAStack() {
        FewAtOnce few = new FewAtOnce(1, 1);
        List<Throwable> refusals = IntStream.range(0, 5)
                .mapToObj(i -> few.begin("ada", this::begin))
                .skip(2)
                .map(refused -> refused.handle((done, failure) -> failure).join())
                .distinct()
                .toList();
        assertThat(refusals).hasSize(1);
        assertThat(refusals.get(0)).isInstanceOf(UnavailableException.class);
        assertThat(refusals.get(0).getStackTrace()).isEmpty();
    }
}
