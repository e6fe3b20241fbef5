package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BareExceptionTest {
    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatIsToldIsTheSame(Kind kind) {
        BigtableException made = BigtableException.of(kind, "table t: a fact", Outcome.NOT_APPLIED, 7)
                .causedBy(new IllegalStateException("below"));
        assertThat(made.bare())
                .hasSameClassAs(made)
                .hasMessage("table t: a fact")
                .hasNoCause()
                .satisfies(bare -> assertThat(bare.outcome()).isEqualTo(Outcome.NOT_APPLIED))
                .satisfies(bare -> assertThat(bare.getStackTrace()).isEmpty());
    }

    @Test
    void whenToComeAgainAndWhatHelpsIsKept() {
        OverloadedException contended = OverloadedException.contended("table t row r: others write it");
        assertThat(contended.bare()).hasMessage(contended.getMessage());
        assertThat(new OverloadedException("full", 70).bare())
                .isInstanceOfSatisfying(OverloadedException.class, bare -> assertThat(bare.retryAfterMillis())
                        .isEqualTo(70));
    }

    @Test
    void othersHaveTheirStack() {
        RejectedException refused = new RejectedException("no", "ask for something else");
        BigtableException bare = refused.bare();
        assertThat(refused.getStackTrace()).isNotEmpty();
        assertThat(new RejectedException("no", "ask").getStackTrace()).isNotEmpty();
        assertThat(bare.about("table t").getStackTrace()).isNotEmpty();
    }
}
