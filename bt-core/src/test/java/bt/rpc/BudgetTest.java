package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final int REQUESTS = 160;

    private final Budget server = new Budget("the server", REQUESTS, 1_000_000, null);
    private final Budget stranger = new Budget("a stranger", 1_000_000, 1_000_000, server);
    private final Budget member = new Budget("a server of the cluster", 1_000_000, 1_000_000, server);

    /** Whatever strangers say that their requests are. */
    @Test
    void halfOfTheReserveIsForMachinesOfTheClusterAlone() {
        int strangers = 0;
        while (stranger.enter(10, false)) {
            strangers++;
            assertThat(server.isInReserve()).isEqualTo(strangers > REQUESTS);
        }
        assertThat(strangers).isEqualTo(REQUESTS + REQUESTS / 16);
        int members = 0;
        while (member.enter(10, true)) {
            members++;
        }
        assertThat(members).isEqualTo(REQUESTS / 16);
    }

    @Test
    void bytesHaveTheSameReserve() {
        assertThat(stranger.enter(1_000_000, false)).isTrue();
        assertThat(stranger.enter(62_500, false)).isTrue();
        assertThat(stranger.grow(0, 1, false)).isFalse();
        assertThat(member.grow(0, 62_500, true)).isTrue();
        assertThat(member.grow(0, 1, true)).isFalse();
    }
}
