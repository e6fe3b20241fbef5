package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.Paths;
import bt.record.MasterFile;
import bt.testing.MemoryLocks;
import org.junit.jupiter.api.Test;

class ClusterHostsTest {
    private final MemoryLocks locks = new MemoryLocks();
    private final ClusterHosts hosts = new ClusterHosts();

    @Test
    void theMachinesOfServersAndMasterAreTheClusters() throws Exception {
        assertThat(hosts.look(locks)).isZero();
        assertThat(hosts).rejects("10.0.0.1");
        locks.create(Paths.server("10.0.0.1_9002_5a7e"), Bytes.EMPTY);
        locks.create(Paths.server("10.0.0.2_9002_5a7e-2"), Bytes.EMPTY);
        locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile("10.0.0.3:9001", "77")));
        assertThat(hosts.look(locks)).isEqualTo(2);
        assertThat(hosts).accepts("10.0.0.1", "10.0.0.2", "10.0.0.3").rejects("10.0.0.4", "10.0.0.1_9002");
        locks.delete(Paths.server("10.0.0.1_9002_5a7e"));
        assertThat(hosts.look(locks)).isEqualTo(1);
        assertThat(hosts).rejects("10.0.0.1");
    }

    /** It would have ended the process otherwise: a worker of every server looks at that file. */
    @Test
    void aDamagedFileOfTheMasterIsCorruptionAndWhatWasKnownStays() throws Exception {
        locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile("10.0.0.3:9001", "77")));
        assertThat(hosts.look(locks)).isZero();
        locks.write(Paths.MASTER, AvroBytes.encode(new MasterFile("10.0.0.4", "77")), 0);
        assertThatThrownBy(() -> hosts.look(locks))
                .isInstanceOf(CorruptionException.class)
                .hasMessage("file master: \"10.0.0.4\" is not host:port");
        assertThat(hosts).accepts("10.0.0.3");
    }

    @Test
    void aHostMayHaveAnUnderlineInItsName() {
        assertThat(ClusterHosts.hostOf("rack_7_node_9002_5a7e")).contains("rack_7_node");
        assertThat(ClusterHosts.hostOf("something else")).isEmpty();
    }
}
