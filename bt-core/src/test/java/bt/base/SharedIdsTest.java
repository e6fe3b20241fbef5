package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedIdsTest {
    private static final int MANY = 500;

    private static List<Integer> made(int last) {
        return new ArrayList<>(IntStream.rangeClosed(1, last).boxed().toList());
    }

    @Test
    void thoseThatAreEqualAreOneObject() {
        List<Integer> ids = SharedIds.of(made(MANY));
        assertThat(ids).isEqualTo(made(MANY)).hasSameHashCodeAs(made(MANY));
        assertThat(SharedIds.of(made(MANY))).isSameAs(ids);
        assertThat(SharedIds.of(ids)).isSameAs(ids);
        assertThat(SharedIds.of(made(MANY - 1))).isNotEqualTo(ids).hasSize(MANY - 1);
        assertThat(SharedIds.of(List.of())).isEmpty();
    }

    @Test
    void whatIsMadeOfAListDoesNotChangeWithIt() {
        List<Integer> list = made(7);
        List<Integer> ids = SharedIds.of(list);
        list.set(0, 100);
        assertThat(ids).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void whatNobodyHasIsKeptByNobody() throws InterruptedException {
        WeakReference<List<Integer>> gone = new WeakReference<>(SharedIds.of(made(MANY + 1)));
        for (int i = 0; i < 100 && gone.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(gone.get()).isNull();
    }
}
