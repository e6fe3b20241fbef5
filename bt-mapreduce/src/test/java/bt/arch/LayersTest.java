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
            .row("bt.mapreduce.input", CORE)
            .row("bt.mapreduce.output", CORE)
            .row("bt.mapreduce.bulk", with("bt.fs", "bt.sstable"))
            .row("bt.mapreduce", with("bt.mapreduce.input", "bt.mapreduce.output", "bt.mapreduce.bulk"))
            .row(
                    "bt.mapreduce.tool",
                    with("bt.mapreduce", "bt.mapreduce.input", "bt.mapreduce.output", "bt.mapreduce.bulk"))
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
