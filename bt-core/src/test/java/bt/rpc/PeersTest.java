package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PeersTest {
    private static final String HOST = "10.0.0.1";

    private final Budget server = new Budget("the server", 1_000, 1_000_000, null);
    private final Peers peers = new Peers(new RpcLimits.Peer(2, 100, 100_000), server);

    @Test
    void whoConnectsAgainHasInFlightWhatItHad() {
        Budget before = enter(HOST).orElseThrow();
        assertThat(before.enter(500, false)).isTrue();
        peers.leave(HOST);
        Budget again = enter(HOST).orElseThrow();
        assertThat(again.bytes()).isEqualTo(500);
        assertThat(enter(HOST)).isPresent();
        assertThat(enter(HOST)).as("a third connection").isEmpty();
    }

    @Test
    void whoHasNothingInFlightIsForgotten() {
        Budget budget = enter(HOST).orElseThrow();
        assertThat(budget.enter(500, false)).isTrue();
        peers.leave(HOST);
        assertThat(enter("10.0.0.2")).isPresent();
        assertThat(peers.size()).isEqualTo(2);
        budget.leave(500);
        peers.leave("10.0.0.2");
        assertThat(peers.size()).isZero();
    }

    @Test
    void ofTheConnectionsThatOthersLeaveAHostHasItsPart() {
        Peers four = new Peers(new RpcLimits.Peer(4, 100, 100_000), server);
        int open = 0;
        for (int host = 1; host <= 16; host++) {
            int before = open;
            while (four.enter("10.0.0." + host, open, 16).isPresent()) {
                open++;
            }
            assertThat(open - before).as("host %d", host).isBetween(host <= 6 ? 1 : 0, host == 1 ? 4 : 3);
            if (host == 4) {
                assertThat(open).as("a quarter of all for each were all").isEqualTo(12);
            }
        }
    }

    private Optional<Budget> enter(String host) {
        return peers.enter(host, 0, 2);
    }
}
