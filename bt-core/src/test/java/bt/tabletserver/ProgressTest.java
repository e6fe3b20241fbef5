package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long LEASE_MILLIS = 6_000;

    private final CommitFixture fixture;

    ProgressTest() throws BigtableException {
        fixture = CommitFixture.of(1);
    }

    private Progress progress(Supplier<CompletableFuture<Void>> turns) {
        CommitQueue queue = fixture.hosted.queue();
        return new Progress(
                fixture.scheduler,
                new CommitQueues(queue, queue),
                new Pools(fixture.scheduler, TabletServerConfig.DEFAULT),
                new TabletSet(),
                turns,
                LEASE_MILLIS);
    }

    @Test
    void whoeverLooksMayHaveBeenAwayForLongerThanTheServerMayStandStill() {
        fixture.run(() -> {
            Progress progress = progress(() -> {
                CompletableFuture<Void> turn = new CompletableFuture<>();
                fixture.scheduler.after(1, () -> turn.complete(null));
                return turn;
            });
            assertThat(progress.standstill()).isEmpty();
            for (int i = 0; i < 3; i++) {
                // For two answers of the lock service.
                fixture.scheduler.pause(2 * LEASE_MILLIS);
                assertThat(progress.standstill()).isEmpty();
            }
        });
    }

    @Test
    void whatIsSentAndDoesNotComeBackStandsStill() {
        fixture.run(() -> {
            Progress progress = progress(CompletableFuture::new);
            assertThat(progress.standstill()).isEmpty();
            fixture.scheduler.pause(LEASE_MILLIS - 1);
            assertThat(progress.standstill()).isEmpty();
            fixture.scheduler.pause(2);
            assertThat(progress.standstill()).contains("the event loops");
        });
    }
}
