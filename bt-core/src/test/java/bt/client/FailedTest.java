package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.RowMutation;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailedTest {
    private final Failed failed = new Failed("t");

    /** However many failures that are certain stand before it. */
    @Test
    void theWholeIsUnknownIfAnyIs() {
        for (int i = 0; i < 1_000; i++) {
            failed.add(write("r" + i), new RejectedException("no family", "ask for another"));
        }
        failed.add(write("lost"), new UnavailableException("no answer", Outcome.UNKNOWN));
        failed.add(write("last"), new RejectedException("no family", "ask for another"));

        BigtableException all = catchThrowableOfType(BigtableException.class, failed::tell);
        assertThat(all).isInstanceOf(UnavailableException.class);
        assertThat(all.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(all).hasMessageStartingWith("table t: 1002 writes of a batch failed; row lost: UNKNOWN: no answer");
        assertThat(all.getSuppressed()).hasSize(100);

        failed.add(write("next"), new RejectedException("no family", "ask for another"));
        assertThat(catchThrowableOfType(BigtableException.class, failed::tell).outcome())
                .isEqualTo(Outcome.NOT_APPLIED);
    }

    private static PendingWrite write(String row) {
        return new PendingWrite(RowMutation.of(row).set("f", "q", "v").build(), Optional.empty());
    }
}
