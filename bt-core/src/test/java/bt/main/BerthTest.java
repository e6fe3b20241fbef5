package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.protocol.Address;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BerthTest {
    private static final Berth BERTH = new Berth(0, Optional.empty());

    @Test
    void aServerIsReachedWhereItListens() throws Exception {
        Address listening = new Address("127.0.0.1", 7);
        assertThat(BERTH.reachedAt(listening, Optional.of("node"))).isEqualTo(listening);
    }

    @Test
    void whatIsAdvertisedGoesBefore() throws Exception {
        Address advertised = new Address("proxy", 80);
        assertThat(new Berth(0, Optional.of(advertised)).reachedAt(new Address("0.0.0.0", 7), Optional.of("node")))
                .isEqualTo(advertised);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void whoListensEverywhereIsReachedAtItsNode(String everywhere) throws Exception {
        assertThat(BERTH.reachedAt(new Address(everywhere, 7), Optional.of("node")))
                .isEqualTo(new Address("node", 7));
    }

    /** The port is there, and no lock service is asked for: others would be told to look for the server at home. */
    @Test
    void whoListensEverywhereAndIsReachedNowhereIsRefused() throws Exception {
        ServerSettings settings = ServerSettings.read(Map.of("host", "0.0.0.0", "at", "zk://127.0.0.1:1/none"));
        assertThatThrownBy(() -> Ground.open(settings, settings.masterBerth(), reason -> {})
                        .close())
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith(
                        "host is 0.0.0.0, by which no other machine reaches this one: write an address");
    }
}
