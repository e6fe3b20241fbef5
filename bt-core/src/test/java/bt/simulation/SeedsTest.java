package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.testing.Asked;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedsTest {
    @Test
    void seedsBeginAtOne() {
        assertThat(seeds()).containsExactly(1, 2, 3);
    }

    @Test
    void theirNumberAndTheFirstAreAskedFor() {
        assertThat(seeds("seeds=2")).containsExactly(1, 2);
        assertThat(seeds("seeds=2", "from=7")).containsExactly(7, 8);
    }

    @Test
    void oneIsAskedForAlone() {
        assertThat(seeds("seed=9")).containsExactly(9);
        assertThat(seeds("seed=0", "seeds=2")).containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource({
        "seed=abc, -Dseed=abc is not a whole number",
        "seeds=abc, -Dseeds=abc is not a whole number",
        "from=abc, -Dfrom=abc is not a whole number",
        "seeds=0, -Dseeds=0 is less than 1",
        "seeds=-5, -Dseeds=-5 is less than 1",
        "seeds=3000000000, -Dseeds=3000000000 is more than 2147483647"
    })
    void whatCannotBeDoneIsRefusedInsteadOfTheUsual(String asked, String told) {
        assertThatThrownBy(() -> seeds(asked)).hasMessage(told);
    }

    private static long[] seeds(String... asked) {
        Properties properties = new Properties();
        for (String one : asked) {
            String[] parts = one.split("=", 2);
            properties.setProperty(parts[0], parts[1]);
        }
        return Seeds.of(new Asked(properties), 3).toArray();
    }
}
