package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RuleMarkTest {
    private static final String LONG = "x".repeat(RuleMark.MAX_LENGTH + 1);

    @Test
    void aShortTextIsItsOwnMark() {
        assertThat(RuleMark.of("")).isEmpty();
        assertThat(RuleMark.of("versions 3")).isEqualTo("versions 3");
        assertThat(RuleMark.of("x".repeat(RuleMark.MAX_LENGTH))).isEqualTo("x".repeat(RuleMark.MAX_LENGTH));
    }

    @Test
    void aLongOneHasTheDigestThatTheFormatNames() {
        // printf x%.0s {1..65} | sha256sum
        assertThat(RuleMark.of(LONG)).isEqualTo("#9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814d");
    }

    @Test
    void theMarkOfAMarkIsTheSame() {
        assertThat(RuleMark.of(RuleMark.of(LONG))).isEqualTo(RuleMark.of(LONG));
    }

    @Test
    void longTextsThatDifferHaveMarksThatDiffer() {
        assertThat(RuleMark.of(LONG + "1")).isNotEqualTo(RuleMark.of(LONG + "2"));
    }
}
