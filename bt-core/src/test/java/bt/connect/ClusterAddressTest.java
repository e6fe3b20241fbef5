package bt.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterAddressTest {
    @Test
    void anAddressNamesTheQuorumAndTheCluster() throws Exception {
        ClusterAddress address = ClusterAddress.parse("zk://a.example:2181,127.0.0.1:65535/main");
        assertThat(address).isEqualTo(new ClusterAddress("a.example:2181,127.0.0.1:65535", "main"));
        assertThat(ClusterAddress.parse(address.toString())).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "main",
                "zk://",
                "zk://host/main",
                "zk://host:2181",
                "zk://host:2181/",
                "zk://host:0/main",
                "zk://host:65536/main",
                "zk://host:2181,/main",
                "zk://host:2181/a/b",
                "zk://host:2181/../etc",
                "http://host:2181/main",
                "zk://host:2181/main "
            })
    void anythingElseIsRejectedWithTheRightForm(String wrong) {
        assertThatThrownBy(() -> Connect.to(wrong))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("write zk://host:port[,host:port...]/cluster");
    }
}
