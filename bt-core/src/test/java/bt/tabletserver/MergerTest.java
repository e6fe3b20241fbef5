package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.protocol.WriteId;
import org.junit.jupiter.api.Test;

class MergerTest {
    private static final int FILES = 10;

    private final CommitFixture server;

    MergerTest() throws BigtableException {
        server = CommitFixture.of(1);
    }

    @Test
    void oneThatIsInterruptedHasEndedAndTheTabletIsFreeForTheNext() {
        server.run(() -> {
            for (int i = 1; i <= FILES; i++) {
                server.write("r" + i, "v".repeat(400_000), new WriteId(1, i, 1));
                server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
                server.host.writeFrozen(server.hosted);
            }
            // It would take half an hour.
            Merger slow = server.host.merger(1_000);
            slow.look(server.hosted);
            server.simulation.pause(10_000);
            assertThat(slow.counts().report().getMergesBegun()).isEqualTo(1);
            assertThat(slow.counts().report().getMergesEnded()).isZero();

            server.host.stop();
            server.simulation.pause(1_000);
            assertThat(slow.counts().report().getMergesEnded()).isEqualTo(1);
            assertThat(server.hosted.merging().reserve()).isTrue();
        });
    }
}
