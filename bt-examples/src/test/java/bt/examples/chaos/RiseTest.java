package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RiseTest {
    private final Rise rise = new Rise(5);

    @Test
    void whatStaysOrFallsHasNotRisen() {
        assertThat(rise.hasRisen(5)).isFalse();
        assertThat(rise.hasRisen(3)).isFalse();
        assertThat(rise.hasRisen(3)).isFalse();
    }

    /** Of what was known some is collected, and less than that comes. */
    @Test
    void whatHasFallenAndComesUpHasRisenThoughItWasHigherBefore() {
        assertThat(rise.hasRisen(2)).isFalse();
        assertThat(rise.hasRisen(3)).isTrue();
    }

    @Test
    void whatIsHigherThanAtTheFirstLookHasRisen() {
        assertThat(rise.hasRisen(6)).isTrue();
    }
}
