package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {
    private static final int REQUESTS = 160;

    private final Budget server = new Budget("the server", REQUESTS, 1_000_000, null);
    private final Budget stranger = new Budget("a stranger", 1_000_000, 1_000_000, server);
    private final Budget large = new Budget("a large server", 65_536, 192 << 20, null);
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

    /** Each of two could hold half of all, and then nobody had anything. */
    @Test
    void howeverManyHostsTakeAllThatTheyMayThereIsRoomForOneMore() {
        for (int host = 0; host < 40; host++) {
            Budget greedy = half("host " + host);
            while (greedy.enter(64 << 10, false)) {
                // As many as it may.
            }
        }
        assertThat(large.isInReserve()).isFalse();
        Budget last = half("one more");
        assertThat(last.enter(64 << 10, false)).isTrue();
        assertThat(last.isInReserve()).isFalse();
    }

    /** As a master of 384 MB of heap has it, where a request may be longer than what one host may have. */
    @Test
    void noTwoLongRequestsTakeAllOfASmallServer() {
        Budget small = new Budget("a small server", 65_536, 96 << 20, null);
        assertThat(new Budget("first", 4_096, 48 << 20, small).enter(51 << 20, false))
                .isTrue();
        Budget second = new Budget("second", 4_096, 48 << 20, small);
        assertThat(second.enter(48 << 20, false)).isFalse();
        assertThat(second.enter(41 << 20, false)).isTrue();
        Budget third = new Budget("third", 4_096, 48 << 20, small);
        assertThat(third.enter(1 << 20, false)).isTrue();
        assertThat(third.isInReserve()).isFalse();
    }

    @Test
    void aRequestAsLongAsAllMayComeBesideShortOnesOfOthers() {
        Budget small = new Budget("a small server", 65_536, 80 << 20, null);
        assertThat(new Budget("short", 4_096, 40 << 20, small).enter(1_000, false))
                .isTrue();
        assertThat(new Budget("long", 4_096, 40 << 20, small).enter(80 << 20, false))
                .isTrue();
    }

    @Test
    void whileOneHostHasItsHalfAnotherMayHaveOneLargeRequest() {
        Budget first = half("first");
        assertThat(first.enter(80 << 20, false)).isTrue();
        assertThat(first.enter(16 << 20, false)).isTrue();
        Budget second = half("second");
        assertThat(second.enter(80 << 20, false)).isTrue();
        assertThat(second.isInReserve()).isFalse();
        assertThat(half("third").enter(7 << 20, false)).as("of what is left").isFalse();
        assertThat(half("fourth").enter(6 << 20, false)).isTrue();
    }

    private Budget half(String name) {
        return new Budget(name, 4_096, 96 << 20, large);
    }
}
