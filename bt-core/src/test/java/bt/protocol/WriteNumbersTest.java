package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WriteNumbersTest {
    private static final long CLIENT = 7;

    private final WriteNumbers numbers = new WriteNumbers(CLIENT);

    @Test
    void eachWriteSaysWhichIsTheOldestThatIsOpen() {
        WriteId first = numbers.open();
        WriteId second = numbers.tryOpen().orElseThrow();
        assertThat(first).isEqualTo(new WriteId(CLIENT, 1, 1));
        assertThat(second).isEqualTo(new WriteId(CLIENT, 2, 1));
        numbers.close(first);
        assertThat(numbers.open()).isEqualTo(new WriteId(CLIENT, 3, 2));
        numbers.close(List.of(second, new WriteId(CLIENT, 3, 2)));
        assertThat(numbers.open()).isEqualTo(new WriteId(CLIENT, 4, 4));
    }

    @Test
    void whoAsksGetsNoneThatIsTooFarAheadOfTheOldest() {
        List<WriteId> open = new ArrayList<>();
        for (Optional<WriteId> id = numbers.tryOpen(); id.isPresent(); id = numbers.tryOpen()) {
            open.add(id.get());
        }
        assertThat(open).hasSize(WriteNumbers.SPAN);
        numbers.close(open.subList(1, open.size()));
        assertThat(numbers.tryOpen()).isEmpty();
        numbers.close(open.get(0));
        assertThat(numbers.tryOpen()).contains(new WriteId(CLIENT, WriteNumbers.SPAN + 1L, WriteNumbers.SPAN + 1L));
    }

    /** Who has few open at a time is never refused, whatever they are: not even behind one that hangs. */
    @Test
    void whoDoesNotAskGetsEveryNumber() {
        WriteId oldest = numbers.open();
        for (int i = 0; i < 2 * WriteNumbers.SPAN; i++) {
            numbers.close(numbers.open());
        }
        assertThat(numbers.open()).isEqualTo(new WriteId(CLIENT, 2 * WriteNumbers.SPAN + 2L, 1));
        numbers.close(oldest);
        assertThat(numbers.open().lowestOpen()).isEqualTo(2 * WriteNumbers.SPAN + 2L);
    }
}
