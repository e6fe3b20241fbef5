package bt.examples.cluster;

import java.util.Map;

/**
 * What is to be decided of a cluster of processes.
 *
 * @param settings those of {@code conf/bt.properties}, for masters and tablet servers
 * @param serverMegabytes the heap of a tablet server
 * @param doors whether each master and tablet server reaches ZooKeeper through a proxy of its own, and is reached through one
 * @param disks whether each datanode has a disk of its own in memory, if the machine lets us mount one
 */
public record Layout(Map<String, String> settings, int serverMegabytes, boolean doors, boolean disks) {
    public Layout {
        settings = Map.copyOf(settings);
    }
}
