package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.model.TabletId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UndecidedTest {
    private static final TabletId TABLET = new TabletId(4, Optional.empty());

    private final Undecided undecided = new Undecided();
    private final Undecided.Told told = new Undecided.Told("it leaves", new Trouble());

    @Test
    void aTabletIsOpenUntilItIsDecidedOrHasFailed() throws Exception {
        assertThat(undecided.isOpen(TABLET)).isFalse();
        assertThat(undecided.isDecided(TABLET, told, () -> {
                    assertThat(undecided.isOpen(TABLET)).isTrue();
                    return false;
                }))
                .isFalse();
        assertThat(undecided.isOpen(TABLET)).isTrue();
        assertThat(undecided.isDecided(TABLET, told, () -> true)).isTrue();
        assertThat(undecided.isOpen(TABLET)).isFalse();

        assertThat(undecided.isDecided(TABLET, told, () -> false)).isFalse();
        assertThatThrownBy(() -> undecided.isDecided(TABLET, told, () -> {
                    throw new RejectedException("another has it");
                }))
                .isInstanceOf(RejectedException.class);
        assertThat(undecided.isOpen(TABLET)).isFalse();
    }
}
