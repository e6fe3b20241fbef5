package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.Layers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** This module's part of the layers of docs/ARCHITECTURE.md. */
class LayersTest {
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
            .row("bt.examples.bench", CORE)
            .row("bt.examples.chaos", CORE)
            .row("bt.examples.demo", with("bt.examples.analytics", "bt.examples.earth", "bt.examples.search"))
            .build();

    @Test
    void everyPackageHasARowInTheTable() {
        assertThat(LAYERS.unknownPackages()).isEmpty();
    }

    @Test
    void everyPackageImportsOnlyWhatTheTableAllows() {
        assertThat(LAYERS.forbiddenImports()).isEmpty();
    }

    @Test
    void packagesAreFreeOfCycles() {
        assertThat(LAYERS.cycles()).isEmpty();
    }

    @Test
    void noPackageIsNamedAfterNothing() {
        assertThat(LAYERS.shapelessPackages()).isEmpty();
    }

    private static String[] with(String... ours) {
        return Stream.concat(Stream.of(CORE), Stream.of(ours)).toArray(String[]::new);
    }
}
