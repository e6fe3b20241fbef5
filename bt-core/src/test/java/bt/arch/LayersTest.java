package bt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.Layers;
import bt.testing.LayersContract;
import org.junit.jupiter.api.Test;

/** The layers of docs/ARCHITECTURE.md, as a table the build obeys. Siblings never meet, because no row names a sibling. */
class LayersTest extends LayersContract {
    private static final Layers LAYERS = Layers.of(LayersTest.class)
            .row("bt.base")
            .row("bt.model", "bt.base")
            .row("bt.record")
            .row("bt.fs", "bt.base")
            .row("bt.command", "bt.base")
            .row("bt.script", "bt.base", "bt.model")
            .row("bt.sstable", "bt.base", "bt.fs", "bt.record")
            .row("bt.log", "bt.base", "bt.fs", "bt.record")
            .row("bt.protocol", "bt.base", "bt.model", "bt.record", "bt.script")
            .row("bt.coord", "bt.base")
            .row("bt.tablet", "bt.base", "bt.model", "bt.record", "bt.fs", "bt.script", "bt.sstable", "bt.log")
            .row("bt.metadata", "bt.base", "bt.model", "bt.record", "bt.protocol", "bt.coord")
            .row("bt.client", "bt.base", "bt.model", "bt.record", "bt.script", "bt.protocol", "bt.coord", "bt.metadata")
            .row(
                    "bt.tabletserver",
                    "bt.base",
                    "bt.model",
                    "bt.record",
                    "bt.fs",
                    "bt.command",
                    "bt.script",
                    "bt.sstable",
                    "bt.log",
                    "bt.protocol",
                    "bt.coord",
                    "bt.tablet",
                    "bt.metadata")
            .row("bt.master", "bt.base", "bt.model", "bt.record", "bt.fs", "bt.protocol", "bt.coord", "bt.metadata")
            .row(
                    "bt.doctor",
                    "bt.base",
                    "bt.model",
                    "bt.record",
                    "bt.fs",
                    "bt.sstable",
                    "bt.log",
                    "bt.protocol",
                    "bt.coord",
                    "bt.metadata")
            .row("bt.rpc", "bt.base", "bt.protocol")
            .row("bt.fs.hadoop", "bt.base", "bt.fs")
            .row("bt.fs.local", "bt.base", "bt.fs")
            .row("bt.coord.zookeeper", "bt.base", "bt.coord")
            .row(
                    "bt.connect",
                    "bt.base",
                    "bt.model",
                    "bt.protocol",
                    "bt.coord",
                    "bt.coord.zookeeper",
                    "bt.metadata",
                    "bt.client",
                    "bt.rpc")
            .row("bt.bench", "bt.base", "bt.model", "bt.record", "bt.command", "bt.client", "bt.connect")
            .row(
                    "bt.shell",
                    "bt.base",
                    "bt.model",
                    "bt.record",
                    "bt.command",
                    "bt.client",
                    "bt.connect",
                    "bt.shell.transfer")
            .row("bt.shell.terminal", "bt.base", "bt.model", "bt.record", "bt.command", "bt.client")
            .row("bt.shell.transfer", "bt.base", "bt.model", "bt.record", "bt.client")
            .row("bt.monitor", "bt.base", "bt.model", "bt.record", "bt.command", "bt.client", "bt.connect")
            .row("bt.main", "bt..")
            .row("bt.main.junit", "bt..")
            .build();

    LayersTest() {
        super(LAYERS);
    }

    @Test
    void hadoopIsImportedByItsAdapterAlone() {
        assertThat(LAYERS.importsOutside("bt.fs.hadoop", "org.apache.hadoop")).isEmpty();
    }

    @Test
    void zooKeeperAndCuratorAreImportedByTheirAdapterAlone() {
        assertThat(LAYERS.importsOutside("bt.coord.zookeeper", "org.apache.zookeeper", "org.apache.curator"))
                .isEmpty();
    }

    @Test
    void nettyIsImportedByTheRpcAlone() {
        assertThat(LAYERS.importsOutside("bt.rpc", "io.netty")).isEmpty();
    }

    @Test
    void everyOtherLibraryOfTheDataPathHasOneImporter() {
        assertThat(LAYERS.importersBesideOne("com.google.re2j")).isEmpty();
        assertThat(LAYERS.importersBesideOne("com.github.benmanes.caffeine")).isEmpty();
        assertThat(LAYERS.importersBesideOne("net.jpountz")).isEmpty();
        assertThat(LAYERS.importersBesideOne("com.github.luben.zstd")).isEmpty();
        assertThat(LAYERS.importersBesideOne("org.jline")).isEmpty();
    }

    @Test
    void onlyBaseReadsTimeSleepsAndStartsThreads() {
        assertThat(LAYERS.timeAndThreadsOutside("bt.base")).isEmpty();
    }
}
