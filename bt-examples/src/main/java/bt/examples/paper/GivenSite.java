package bt.examples.paper;

import bt.client.Bigtable;
import bt.connect.Connect;
import bt.protocol.Address;
import bt.record.ServerLine;
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
            for (ServerLine line : bigtable.admin().clusterStatus().getServers()) {
                if (line.getAlive() && isHere(Address.parse(line.getAddress()).host(), line.getPid())) {
                    here.add((long) line.getPid());
                }
            }
        }
        return here;
    }

    /** How many tablet servers the cluster has. */
    public int serverCount() throws IOException {
        try (Bigtable bigtable = Connect.to(address)) {
            return (int) bigtable.admin().clusterStatus().getServers().stream()
                    .filter(ServerLine::getAlive)
                    .count();
        }
    }

    private static boolean isHere(String host, long pid) throws IOException {
        InetAddress at = InetAddress.getByName(host);
        return (at.isLoopbackAddress() || NetworkInterface.getByInetAddress(at) != null)
                && Files.exists(Path.of("/proc", Long.toString(pid)));
    }

    @Override
    public List<Long> datanodes() {
        return List.of();
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
