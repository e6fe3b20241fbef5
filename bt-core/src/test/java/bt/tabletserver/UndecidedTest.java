package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.TabletId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UndecidedTest {
    private static final TabletId TABLET = new TabletId(4, Optional.empty());

    private static final Optional<BigtableException> SILENCE = Optional.of(new UnavailableException("no answer"));

    private final Undecided undecided = new Undecided(new Patience(Clock.system()));
    private final Undecided.Told told = new Undecided.Told("it leaves", new Trouble());

    @Test
    void aTabletIsOpenUntilItIsDecidedOrHasFailed() throws Exception {
        assertThat(undecided.isOpen(TABLET)).isFalse();
        assertThat(undecided.isDecided(TABLET, told, millis -> {
                    assertThat(undecided.isOpen(TABLET)).isTrue();
                    return SILENCE;
                }))
                .isFalse();
        assertThat(undecided.isOpen(TABLET)).isTrue();
        assertThat(undecided.isDecided(TABLET, told, millis -> Optional.empty()))
                .isTrue();
        assertThat(undecided.isOpen(TABLET)).isFalse();

        assertThat(undecided.isDecided(TABLET, told, millis -> SILENCE)).isFalse();
        assertThatThrownBy(() -> undecided.isDecided(TABLET, told, millis -> {
                    throw new RejectedException("another has it", "ask for another");
                }))
                .isInstanceOf(RejectedException.class);
        assertThat(undecided.isOpen(TABLET)).isFalse();
    }
}
