package bt.arch;

import bt.testing.Layers;
import bt.testing.LayersContract;
import java.util.stream.Stream;

/** This module's part of the layers of docs/ARCHITECTURE.md. */
class LayersTest extends LayersContract {
    private static final String[] CORE = {
        "bt.base",
        "bt.model",
        "bt.record",
        "bt.fs",
        "bt.fs.hadoop",
        "bt.fs.local",
        "bt.command",
        "bt.script",
        "bt.sstable",
        "bt.log",
        "bt.protocol",
        "bt.coord",
        "bt.coord.zookeeper",
        "bt.tablet",
        "bt.metadata",
        "bt.client",
        "bt.tabletserver",
        "bt.master",
        "bt.doctor",
        "bt.bench",
        "bt.shell",
        "bt.monitor",
        "bt.rpc",
        "bt.connect",
        "bt.main",
        "bt.main.junit",
        "bt.scripting..",
        "bt.mapreduce..",
        "bt.thrift..",
        "bt.yarn.."
    };

    private static final Layers LAYERS = Layers.of(LayersTest.class)
            .row("bt.examples.analytics", CORE)
            .row("bt.examples.earth", CORE)
            .row("bt.examples.search", CORE)
            .row(
                    "bt.examples.bench",
                    with("bt.examples.demo", "bt.examples.cluster", "bt.examples.recovery", "bt.examples.paper"))
            .row("bt.examples.cluster", CORE)
            .row("bt.examples.recovery", with("bt.examples.cluster"))
            .row("bt.examples.paper", with("bt.examples.cluster"))
            .row("bt.examples.chaos", with("bt.examples.bench", "bt.examples.cluster", "bt.examples.hostile"))
            .row("bt.examples.hostile", CORE)
            .row(
                    "bt.examples.demo",
                    with("bt.examples.analytics", "bt.examples.earth", "bt.examples.search", "bt.examples.cluster"))
            .build();

    LayersTest() {
        super(LAYERS);
    }

    private static String[] with(String... ours) {
        return Stream.concat(Stream.of(CORE), Stream.of(ours)).toArray(String[]::new);
    }
}
