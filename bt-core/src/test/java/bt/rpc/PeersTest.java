package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeersTest {
    private static final String HOST = "10.0.0.1";

    private final Budget server = new Budget("the server", 1_000, 1_000_000, null);
    private final Peers peers = new Peers(new RpcLimits.Peer(2, 100, 100_000), server);

    @Test
    void whoConnectsAgainHasInFlightWhatItHad() {
        Budget before = peers.enter(HOST).orElseThrow();
        assertThat(before.enter(500, false)).isTrue();
        peers.leave(HOST);
        Budget again = peers.enter(HOST).orElseThrow();
        assertThat(again.bytes()).isEqualTo(500);
        assertThat(peers.enter(HOST)).isPresent();
        assertThat(peers.enter(HOST)).as("a third connection").isEmpty();
    }

    @Test
    void whoHasNothingInFlightIsForgotten() {
        Budget budget = peers.enter(HOST).orElseThrow();
        assertThat(budget.enter(500, false)).isTrue();
        peers.leave(HOST);
        assertThat(peers.enter("10.0.0.2")).isPresent();
        assertThat(peers.size()).isEqualTo(2);
        budget.leave(500);
        peers.leave("10.0.0.2");
        assertThat(peers.size()).isZero();
    }
}
