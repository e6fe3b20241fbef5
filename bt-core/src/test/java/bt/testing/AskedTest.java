package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AskedTest {
    @Test
    void whereNobodyAsksThereIsNoNumber() {
        assertThat(new Asked(new Properties()).number("seed")).isEmpty();
        assertThat(asked("seeds", "7").number("seed")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void anyLongIsANumber(long number) {
        assertThat(asked("seed", Long.toString(number)).number("seed")).hasValue(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "true", "7 ", "1,000", "1e3", "0x7", "9223372036854775808"})
    void whatIsNoNumberIsRefusedAndSaysWhichWasAskedFor(String said) {
        assertThatThrownBy(() -> asked("seed", said).number("seed"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dseed=" + said + " is not a whole number");
    }

    @Test
    void aNumberHasBounds() {
        assertThat(asked("mutant", "0").number("mutant", 0, 3)).hasValue(0);
        assertThat(asked("mutant", "3").number("mutant", 0, 3)).hasValue(3);
        assertThatThrownBy(() -> asked("mutant", "-1").number("mutant", 0, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dmutant=-1 is less than 0");
        assertThatThrownBy(() -> asked("mutant", "4").number("mutant", 0, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dmutant=4 is more than 3");
    }

    @Test
    void aPropertyTriesTheSeedThatIsAskedForAndNoOther() {
        assertThat(SeededTest.Runs.seeds(asked("seed", "7"), 3)).containsExactly(7L);
        assertThat(SeededTest.Runs.seeds(asked("seeds", "7"), 3)).hasSize(3);
        assertThatThrownBy(() -> SeededTest.Runs.seeds(asked("seed", "abc"), 3))
                .hasMessage("-Dseed=abc is not a whole number");
    }

    private static Asked asked(String name, String said) {
        Properties properties = new Properties();
        properties.setProperty(name, said);
        return new Asked(properties);
    }
}
