package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.Layers;
import bt.testing.LayersContract;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** This module's part of the layers of docs/ARCHITECTURE.md. */
class LayersTest extends LayersContract {
    private static final String[] CORE = {
        "bt.base", "bt.model", "bt.record", "bt.command", "bt.coord", "bt.client", "bt.connect", "bt.main"
    };

    private static final Layers LAYERS = Layers.of(LayersTest.class)
            .row("bt.yarn.spec", CORE)
            .row("bt.yarn.launch", with("bt.yarn.spec"))
            .row("bt.yarn.app", with("bt.yarn.spec", "bt.yarn.launch"))
            .row("bt.yarn.submit", with("bt.yarn.spec", "bt.yarn.launch"))
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
