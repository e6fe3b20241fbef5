package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns<String> turns = new Turns<>(10_000);

    private void add(String whose, int count) {
        for (int i = 0; i < count; i++) {
            turns.add(whose, whose + i);
        }
    }

    private List<String> take(int count) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(turns.take().orElseThrow());
        }
        return taken;
    }

    @Test
    void eachHasATurnHoweverMuchAnotherHasWaiting() {
        add("a", 1_000);
        add("b", 2);
        add("c", 1);
        assertThat(take(6)).containsExactly("a0", "b0", "c0", "a1", "b1", "a2");
        add("b", 1);
        assertThat(take(2)).containsExactly("a3", "b0");
    }

    /** Of one's own alone, and in their order. */
    @Test
    void whatHasWaitedElsewhereComesFirst() {
        Turns<String> four = new Turns<>(4);
        assertThat(four.add("a", "a0")).isTrue();
        assertThat(four.add("b", "b0")).isTrue();
        for (int i = 1; i < 5; i++) {
            four.addFirst("b", "b" + i);
        }
        assertThat(four.size()).isEqualTo(6);
        assertThat(four.add("c", "c0")).as("there is no place left").isFalse();
        for (String next : List.of("a0", "b1", "b2", "b3", "b4", "b0")) {
            assertThat(four.take()).contains(next);
        }
        assertThat(four.take()).isEmpty();
        assertThat(four.hasWaiting("b")).isFalse();
    }

    @Test
    void whatIsRefusedDoesNotWait() {
        Turns<String> four = new Turns<>(4);
        for (int i = 0; i < 3; i++) {
            assertThat(four.add("a", "a" + i)).isEqualTo(i < 2);
        }
        assertThat(four.take()).contains("a0");
        assertThat(four.add("b", "b")).isTrue();
        assertThat(four.size()).isEqualTo(2);
        assertThat(four.take()).contains("a1");
        assertThat(four.take()).contains("b");
        assertThat(four.take()).isEmpty();
        assertThat(four.size()).isZero();
    }

    @Test
    void whatIsOverTakesUpNoTurn() {
        add("a", 3);
        add("b", 2);
        add("c", 2);
        List<String> told = new ArrayList<>();
        Set<String> over = Set.of("a0", "a1", "b0", "b1", "c1");
        List<String> taken = new ArrayList<>();
        Optional<String> next = turns.take(over::contains, told::add);
        while (next.isPresent()) {
            taken.add(next.get());
            assertThat(turns.size()).isEqualTo(7 - taken.size() - told.size());
            next = turns.take(over::contains, told::add);
        }
        assertThat(taken).containsExactly("a2", "c0");
        assertThat(told).containsExactly("a0", "a1", "b0", "b1", "c1");
        assertThat(turns.size()).isZero();
        assertThat(turns.hasWaitingBeside("a")).isFalse();
    }

    /** One request has as many writes that each depend on their row. */
    @Test
    void oneHasHalfOfTheRoomAtMost() {
        add("greedy", 10_000);
        add("modest", 1);
        assertThat(take(3)).containsExactly("greedy0", "modest0", "greedy1");
        add("greedy", 3);
        assertThat(take(5_000)).endsWith("greedy0", "greedy1");
        assertThat(turns.take()).isEmpty();
    }

    /** One request may have a hundred thousand writes of which each has its row read. */
    @Test
    void nobodyTakesAllOfTheRoom() {
        for (String greedy : List.of("a", "b", "c")) {
            add(greedy, 100_000);
        }
        add("modest", 1);
        assertThat(take(4)).containsExactly("a0", "b0", "c0", "modest0");
    }
}
