package bt.fs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.ThreadScheduler;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HadoopSettingsTest {
    @Test
    void hadoopsDefaultsGiveWayToOurs() {
        assertThat(new Configuration().get("fs.automatic.close")).isEqualTo("true");
        Configuration settings = HadoopSettings.with(Map.of());
        assertThat(settings.get("dfs.client.socket-timeout")).isEqualTo("5000");
        assertThat(settings.getBoolean("fs.automatic.close", true)).isFalse();
    }

    @Test
    void whoClosesAFileAsksSoonAndForNoShorterTimeThanHadoop() {
        Configuration ours = HadoopSettings.with(Map.of());
        assertThat(millisOfPauses(ours)).isGreaterThanOrEqualTo(millisOfPauses(new HdfsConfiguration()));
        assertThat(new DfsClientConf(ours).getBlockWriteLocateFollowingInitialDelayMs())
                .isLessThanOrEqualTo(10);
    }

    private static long millisOfPauses(Configuration settings) {
        DfsClientConf client = new DfsClientConf(settings);
        long pause = client.getBlockWriteLocateFollowingInitialDelayMs();
        long all = 0;
        for (int i = 0; i < client.getNumBlockWriteLocateFollowingRetry(); i++) {
            all += pause;
            pause = Math.min(2 * pause, client.getBlockWriteLocateFollowingMaxDelayMs());
        }
        return all;
    }

    @Test
    void theOperatorsWordStays() {
        Configuration settings = HadoopSettings.with(Map.of("dfs.client.socket-timeout", "60000"));
        assertThat(settings.get("dfs.client.socket-timeout")).isEqualTo("60000");
    }

    @Test
    void dataGoesInLargerPacketsUnlessTheOperatorSaysHowLarge() {
        Configuration settings = HadoopSettings.with(Map.of());
        assertThat(HadoopSettings.forData(settings).getInt("dfs.client-write-packet-size", 0))
                .isEqualTo(4 * settings.getInt("dfs.client-write-packet-size", 0));
        Configuration said = HadoopSettings.with(Map.of("dfs.client-write-packet-size", "32768"));
        assertThat(HadoopSettings.forData(said).get("dfs.client-write-packet-size"))
                .isEqualTo("32768");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///tmp/bt", "/tmp/bt", "s3a://bucket/bt", "hdfs:", "::"})
    void aRootOutsideHdfsIsRejected(String root) {
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            assertThatThrownBy(() -> HadoopFileStore.open(root, Map.of(), scheduler))
                    .hasMessageStartingWith(root + ": is no directory of HDFS");
        }
    }
}
