package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.Layers;
import bt.testing.LayersContract;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** This module's part of the layers of docs/ARCHITECTURE.md. */
class LayersTest extends LayersContract {
    private static final String[] CORE = {"bt.base", "bt.model", "bt.command", "bt.client", "bt.connect"};

    private static final Layers LAYERS = Layers.of(LayersTest.class)
            .row("bt.thrift.gen")
            .row("bt.thrift.convert", with("bt.thrift.gen"))
            .row("bt.thrift.gateway", with("bt.thrift.gen", "bt.thrift.convert"))
            .build();

    LayersTest() {
        super(LAYERS);
    }

    @Test
    void timeSleepAndThreadsComeFromBase() {
        assertThat(LAYERS.timeAndThreadsOutside("bt.base")).isEmpty();
    }

    private static String[] with(String... ours) {
        return Stream.concat(Stream.of(CORE), Stream.of(ours)).toArray(String[]::new);
    }
}
