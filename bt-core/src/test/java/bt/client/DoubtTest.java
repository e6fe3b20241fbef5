package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DoubtTest {
    /** As a move that was not answered, and then is refused as an operation: the tablet may have moved. */
    @ParameterizedTest
    @EnumSource
    void whatFollowsAnAttemptIsNoLessInDoubtThanThat(Outcome attempt) {
        BigtableException failed = catchThrowableOfType(
                BigtableException.class,
                () -> Doubt.behind(new UnavailableException("no answer", attempt), () -> {
                    throw new RejectedException("no tablet server is alive", "start one");
                }));
        assertThat(failed.outcome()).isEqualTo(attempt);
        assertThat(failed).isInstanceOf(RejectedException.class).hasMessageContaining("no tablet server is alive");
    }
}
