package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChecksTest {
    private final Checks checks = new Checks();

    @Test
    void equalThingsHold() {
        checks.equal("pages", 5, 5);
        assertThat(checks.allHold()).isTrue();
    }

    @Test
    void aDifferenceSaysWhatWasFoundAndWhatWasExpected() {
        checks.equal("pages", 5, 4);
        assertThat(checks.allHold()).isFalse();
        assertThat(checks.failures()).containsExactly("pages: 4, expected 5");
    }

    @Test
    void manyDifferencesAreCountedAndAFewAreShown() {
        for (int i = 0; i < 1_000; i++) {
            checks.failed("row " + i);
        }
        assertThat(checks.count()).isEqualTo(1_000);
        assertThat(checks.failures()).hasSize(20);
    }
}
