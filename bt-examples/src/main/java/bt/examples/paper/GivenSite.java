package bt.examples.paper;

import bt.client.Bigtable;
import bt.client.ServerInfo;
import bt.connect.Connect;
import bt.protocol.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** A cluster that runs anyway, {@code bt dev}'s for one. It stays as it is. */
public record GivenSite(String address) implements Site {
    @Override
    public List<Long> servers() throws IOException {
        List<Long> here = new ArrayList<>();
        try (Bigtable bigtable = Connect.to(address)) {
            for (ServerInfo line : bigtable.admin().clusterStatus().servers()) {
                if (line.isAlive() && isHere(Address.parse(line.address()).host(), line.pid())) {
                    here.add((long) line.pid());
                }
            }
        }
        return here;
    }

    /** How many tablet servers the cluster has. */
    public int serverCount() throws IOException {
        try (Bigtable bigtable = Connect.to(address)) {
            return (int) bigtable.admin().clusterStatus().servers().stream()
                    .filter(ServerInfo::isAlive)
                    .count();
        }
    }

    private static boolean isHere(String host, long pid) throws IOException {
        InetAddress at = InetAddress.getByName(host);
        return (at.isLoopbackAddress() || NetworkInterface.getByInetAddress(at) != null)
                && Files.exists(Path.of("/proc", Long.toString(pid)));
    }

    @Override
    public List<Long> datanodes() throws IOException {
        return DatanodesHere.of(servers());
    }

    @Override
    public Optional<Configuration> hdfs() {
        return Optional.empty();
    }

    @Override
    public boolean read(Below below) {
        return false;
    }

    @Override
    public void close() {
        // Others go on with it.
    }
}
