package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.util.random.RandomGenerator;

/** A failure is worth something only if it can be repeated. */
class SameSeedSimTest {
    @SeededTest(runs = 3)
    void theSameSeedGivesTheSameLife(RandomGenerator random) {
        long seed = random.nextLong();
        Life.Lived first = Life.live(seed, Script.drawn(seed));
        assertThat(Life.live(seed, Script.drawn(seed))).isEqualTo(first);
    }
}
