package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.protocol.Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the configuration takes, and what it says of the rest. */
class ConfigurationTest {
    @TempDir
    private Path conf;

    @Test
    void theCommandLineGoesBeforeTheFileAndTheFileBeforeTheDefault() throws Exception {
        Files.writeString(conf.resolve("bt.properties"), "host = 10.0.0.1\nlease.millis = 5000\n");
        Map<String, String> values =
                Configuration.read(conf, Map.of("host", "10.0.0.2")).values();
        assertThat(values)
                .containsEntry("host", "10.0.0.2")
                .containsEntry("lease.millis", "5000")
                .containsEntry("zookeeper.session.millis", "6000");
    }

    @Test
    void whatSomebodyGaveIsToldFromTheDefaults() throws Exception {
        Files.writeString(conf.resolve("bt.properties"), "host = 127.0.0.1\n");
        assertThat(Configuration.read(conf, Map.of("lease.millis", "5000")).given())
                .containsExactlyInAnyOrder("host", "lease.millis");
    }

    /** All containers of YARN read the same file. */
    @Test
    void aContainerListensOnItsNodesHostUnlessItIsToldOtherwise() throws Exception {
        System.setProperty(NodeHost.PROPERTY, "node7.example");
        try {
            assertThat(Configuration.read(conf, Map.of()).values()).containsEntry("host", "node7.example");
            assertThat(Configuration.read(conf, Map.of("host", "10.0.0.2")).values())
                    .containsEntry("host", "10.0.0.2");
        } finally {
            System.clearProperty(NodeHost.PROPERTY);
        }
        assertThat(Configuration.read(conf, Map.of()).values()).containsEntry("host", "127.0.0.1");
    }

    @Test
    void anUnknownKeyIsRefusedWithItsNeighbour() throws Exception {
        Files.writeString(conf.resolve("bt.properties"), "hots = 10.0.0.1\n");
        assertThatThrownBy(() -> Configuration.read(conf, Map.of()))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("unknown key \"hots\": the nearest known one is \"host\"")
                .hasMessageContaining("bt.properties");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "65536", "80 80", "0x50", "99999999999999999999"})
    void aPortIsANumberOfPorts(String value) {
        assertThatThrownBy(() -> Configuration.read(conf, Map.of("master.port", value)))
                .isInstanceOf(RejectedException.class)
                .hasMessage("command line: master.port is \"" + value + "\": write a whole number from 0 to 65535");
    }

    @Test
    void anAddressIsHostAndPortOrNothing() throws Exception {
        Map<String, String> known = Map.of("master.advertised.address", "master.example:9001");
        assertThat(ServerSettings.read(Configuration.read(conf, known).values())
                        .masterBerth()
                        .advertised())
                .contains(new Address("master.example", 9001));
        assertThat(ServerSettings.read(Map.of()).masterBerth().advertised()).isEmpty();
        assertThatThrownBy(() -> Configuration.read(conf, Map.of("master.advertised.address", "master.example")))
                .isInstanceOf(RejectedException.class)
                .hasMessage(
                        "command line: master.advertised.address is \"master.example\": write host:port, or nothing");
    }

    @ParameterizedTest
    @EnumSource(Setting.class)
    void everyDefaultIsAllowed(Setting setting) throws Exception {
        setting.check("default", setting.defaultValue());
    }

    @Test
    void whoSetsALongSessionHasSilenceBorneForLonger() throws Exception {
        assertThat(ServerSettings.read(Map.of()).master().silenceMillis()).isEqualTo(10_000);
        assertThat(ServerSettings.read(Map.of("zookeeper.session.millis", "30000"))
                        .master()
                        .silenceMillis())
                .isEqualTo(34_000);
    }

    @Test
    void defaultsMakeServers() throws Exception {
        ServerSettings settings = ServerSettings.read(Map.of());
        assertThat(settings.master().leaseMillis())
                .isEqualTo(settings.tabletServer().leaseMillis());
    }

    @Test
    void commandsTalkToTheClusterThatDevStarts() {
        assertThat(Setting.AT.defaultValue()).isEqualTo("zk://127.0.0.1:" + DevCommand.DEFAULT_PORT + "/dev");
    }
}
