package bt.fs.hadoop;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.BlockLocation;

/**
 * Where a file's blocks are. A machine has its name, by which its datanode registered, and its address: a tablet server on it may go by
 * either.
 */
final class BlockHosts {
    private BlockHosts() {}

    /** The names and addresses of machines, those of the one with most bytes first. */
    static List<String> of(BlockLocation[] blocks) throws IOException {
        Map<String, Long> bytes = new HashMap<>();
        for (BlockLocation block : blocks) {
            // Two datanodes on one machine are one host.
            for (String host : hosts(block)) {
                bytes.merge(host, block.getLength(), Long::sum);
            }
        }
        return bytes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Set<String> hosts(BlockLocation block) throws IOException {
        Set<String> hosts = new TreeSet<>(List.of(block.getHosts()));
        for (String name : block.getNames()) {
            int colon = name.lastIndexOf(':');
            hosts.add(colon < 0 ? name : name.substring(0, colon));
        }
        return hosts;
    }
}
