package bt.examples.cluster;

import java.util.List;
import java.util.Map;

/**
 * What is to be decided of a cluster of processes.
 *
 * @param settings those of {@code conf/bt.properties}, for masters and tablet servers
 * @param serverMegabytes the heap of a tablet server
 * @param doors whether each master and tablet server reaches ZooKeeper through a proxy of its own, and is reached through one
 * @param disks whether each datanode has a disk of its own in memory, if the machine lets us mount one
 * @param ground more options of the JVMs of HDFS and ZooKeeper
 */
public record Layout(
        Map<String, String> settings, int serverMegabytes, boolean doors, boolean disks, List<String> ground) {
    /** For JVMs that end soon, or do little: the compiler that optimizes takes more from all others then than it wins back. */
    public static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1");

    public Layout {
        settings = Map.copyOf(settings);
        ground = List.copyOf(ground);
    }
}
