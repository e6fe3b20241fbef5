package bt.shell.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class UnwrittenTest {
    private final BigtableException refused = new RejectedException("a is over its quota", "ask for another");
    private final BigtableException lost = new UnavailableException("b was not answered", Outcome.UNKNOWN);

    /** Whichever came first: who reads that nothing was applied imports the rest alone. */
    @Test
    void whatIsUnknownOfOneIsUnknownOfAll() {
        IOException end = new IOException("no such family");
        end.addSuppressed(refused);
        end.addSuppressed(lost);
        BigtableException all = Unwritten.of(end).orElseThrow();
        assertThat(all.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(all).hasMessageContaining("a is over its quota").hasMessageContaining("b was not answered");

        refused.addSuppressed(lost);
        assertThat(Unwritten.of(refused).orElseThrow().outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void whatWasNotAppliedIsSaidSo() {
        IOException end = new IOException("no such family");
        assertThat(Unwritten.of(end)).isEmpty();
        end.addSuppressed(refused);
        end.addSuppressed(new RejectedException("c too", "ask for another"));
        BigtableException all = Unwritten.of(end).orElseThrow();
        assertThat(all.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        assertThat(all).isInstanceOf(RejectedException.class).hasMessageContaining("c too");
    }
}
