package bt.fs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.fs.BlockLocation;
import org.junit.jupiter.api.Test;

class BlockHostsTest {
    @Test
    void aMachineIsKnownByItsNameAndByItsAddress() throws IOException {
        assertThat(BlockHosts.of(new BlockLocation[] {block(100, 1, 2), block(50, 2, 3), block(7, 3)}))
                .containsExactly("10.0.0.2", "node2", "10.0.0.1", "node1", "10.0.0.3", "node3");
    }

    @Test
    void twoDatanodesOfAMachineAreOneHost() throws IOException {
        String[] both = {"127.0.0.1:9866", "127.0.0.1:9867"};
        BlockLocation twice = new BlockLocation(both, new String[] {"127.0.0.1", "127.0.0.1"}, 0, 60);
        assertThat(BlockHosts.of(new BlockLocation[] {twice, block(100, 1)}))
                .containsExactly("10.0.0.1", "node1", "127.0.0.1");
    }

    private static BlockLocation block(long bytes, int... nodes) {
        String[] names = new String[nodes.length];
        String[] hosts = new String[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            names[i] = "10.0.0." + nodes[i] + ":9866";
            hosts[i] = "node" + nodes[i];
        }
        return new BlockLocation(names, hosts, 0, bytes);
    }
}
