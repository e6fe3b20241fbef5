package bt.examples.cluster;

import java.util.Map;

/**
 * What is to be decided of a cluster of processes.
 *
 * @param settings those of {@code conf/bt.properties}, for masters and tablet servers
 * @param serverMegabytes the heap of a tablet server
 * @param doors whether each master and tablet server reaches ZooKeeper through a proxy of its own
 */
public record Layout(Map<String, String> settings, int serverMegabytes, boolean doors) {
    public Layout {
        settings = Map.copyOf(settings);
    }
}
