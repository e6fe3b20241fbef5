package bt.examples.demo;

import bt.examples.cluster.Ports;
import java.io.IOException;
import java.util.List;

/** Where the servers of the mini-clusters listen, each as host:port on 127.0.0.1. */
record Addresses(String nameNode, String zooKeeper, String gateway, Yarn yarn) {
    /** Those of the ResourceManager, of the one node manager and of the job history server. */
    record Yarn(
            String client,
            String scheduler,
            String tracker,
            String admin,
            String web,
            String localizer,
            String nodeWeb,
            String history,
            String historyWeb,
            String historyAdmin) {}

    static Addresses free() throws IOException {
        List<String> free = Ports.free(13);
        return new Addresses(
                free.get(0),
                free.get(1),
                free.get(2),
                new Yarn(
                        free.get(3),
                        free.get(4),
                        free.get(5),
                        free.get(6),
                        free.get(7),
                        free.get(8),
                        free.get(9),
                        free.get(10),
                        free.get(11),
                        free.get(12)));
    }

    /** The cluster of bt. */
    String cluster() {
        return "zk://" + zooKeeper + "/demo";
    }

    static String port(String address) {
        return address.substring(address.indexOf(':') + 1);
    }
}
