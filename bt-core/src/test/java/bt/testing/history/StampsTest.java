package bt.testing.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StampsTest {
    private final Stamps stamps = new Stamps();

    @Test
    void aValueThatIsReadAtWhatItsWriterWasToldIsAsItShouldBe() {
        assertThat(stamps.told("r", "a", 5)).isEmpty();
        assertThat(stamps.seen("r", "a", 5)).isEmpty();
        assertThat(stamps.seen("r", "a", 5)).isEmpty();
    }

    @Test
    void rowsAndValuesHaveTimestampsOfTheirOwn() {
        assertThat(stamps.told("r", "a", 5)).isEmpty();
        assertThat(stamps.told("r", "b", 6)).isEmpty();
        assertThat(stamps.told("s", "a", 7)).isEmpty();
    }

    @Test
    void aValueThatIsReadAtAnotherTimestampThanItsWriterIsToldIsFound() {
        assertThat(stamps.told("r", "a", 5)).isEmpty();
        assertThat(stamps.seen("r", "a", 6))
                .contains(new Anomaly("timestamp", "r", "a was said to be written at 5, and was read at 6"));
    }

    /** It was applied, read, and taken away before its writer heard of it. */
    @Test
    void theReaderMayComeFirst() {
        assertThat(stamps.seen("r", "a", 5)).isEmpty();
        assertThat(stamps.told("r", "a", 6))
                .contains(new Anomaly("timestamp", "r", "a was read at 5, and was said to be written at 6"));
    }

    @Test
    void twoReadersWhoSeeDifferentTimestampsAreFound() {
        assertThat(stamps.seen("r", "a", 5)).isEmpty();
        assertThat(stamps.seen("r", "a", 6)).isPresent();
    }
}
