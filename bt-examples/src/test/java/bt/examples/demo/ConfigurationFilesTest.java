package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFilesTest {
    /** What the mini-cluster reads, over Hadoop's own defaults. */
    @Test
    void datanodesAreHeardOfEachSecond(@TempDir Path directory) throws Exception {
        Workspace workspace = new Workspace(directory, directory.resolve("demo"));
        workspace.wipe();
        new ConfigurationFiles(workspace, Addresses.free()).write();
        Configuration read = new HdfsConfiguration();
        read.addResource(new org.apache.hadoop.fs.Path(
                workspace.conf().resolve("hdfs-site.xml").toUri()));
        assertThat(read.getTimeDuration("dfs.heartbeat.interval", 0, TimeUnit.SECONDS))
                .isEqualTo(1);
    }
}
