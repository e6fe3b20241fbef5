package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class TogetherTest {
    private final List<Integer> done = new ArrayList<>();
    private final List<Runnable> first = new ArrayList<>();
    private final List<Runnable> second = new ArrayList<>();
    private final Executor toFirst = first::add;
    private final Executor toSecond = second::add;

    @Test
    void eachExecutorHasOneTaskBehindTheWork() {
        Together.gather(() -> {
            for (int i = 0; i < 10; i++) {
                give(i % 2 == 0 ? toFirst : toSecond, i);
            }
            assertThat(first.size() + second.size()).isZero();
        });
        assertThat(first).hasSize(1);
        assertThat(second).hasSize(1);
        second.get(0).run();
        first.get(0).run();
        assertThat(done).containsExactly(1, 3, 5, 7, 9, 0, 2, 4, 6, 8);
    }

    @Test
    void withoutGatheringATaskIsGivenAtOnce() {
        give(toFirst, 1);
        assertThat(first).hasSize(1);
        Together.gather(() -> give(toFirst, 2));
        give(toFirst, 3);
        first.forEach(Runnable::run);
        assertThat(done).containsExactly(1, 2, 3);
    }

    @Test
    void theFirstOfVeryManyDoNotWaitForTheLast() {
        Together.gather(() -> {
            for (int i = 0; i < Together.MOST; i++) {
                give(toFirst, i);
            }
            assertThat(first).hasSize(1);
            give(toFirst, Together.MOST);
        });
        assertThat(first).hasSize(2);
        first.forEach(Runnable::run);
        assertThat(done).hasSize(Together.MOST + 1);
    }

    @Test
    void whatWasGivenBeforeTheWorkFailedIsHandedOver() {
        assertThatThrownBy(() -> Together.gather(() -> {
                    give(toFirst, 1);
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        give(toFirst, 2);
        first.forEach(Runnable::run);
        assertThat(done).containsExactly(1, 2);
    }

    @Test
    void oneThatFailsKeepsNoOtherFromBeingRun() {
        Together.gather(() -> {
            give(toFirst, 1);
            Together.give(
                    toFirst,
                    () -> {
                        throw new IllegalStateException();
                    },
                    () -> {});
            give(toFirst, 3);
        });
        assertThatThrownBy(first.get(0)::run).isInstanceOf(IllegalStateException.class);
        assertThat(done).containsExactly(1, 3);
    }

    @Test
    void allAreToldWhereTheExecutorTakesNothingAnyMore() {
        Executor closed = task -> {
            throw new RejectedExecutionException();
        };
        Together.gather(() -> {
            Together.give(closed, () -> done.add(1), () -> done.add(-1));
            Together.give(closed, () -> done.add(2), () -> done.add(-2));
            give(toFirst, 3);
        });
        first.forEach(Runnable::run);
        assertThat(done).containsExactly(-1, -2, 3);
    }

    @Test
    void gatheringWithinGatheringEndsWithTheOuterOne() {
        Together.gather(() -> {
            Together.gather(() -> give(toFirst, 1));
            assertThat(first).isEmpty();
            give(toFirst, 2);
        });
        assertThat(first).hasSize(1);
    }

    private void give(Executor to, int number) {
        Together.give(to, () -> done.add(number), () -> done.add(-number));
    }
}
