package bt.connect;

import bt.base.RejectedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a cluster is found: the servers of its ZooKeeper, as host:port parted by commas, and its name there. */
public record ClusterAddress(String quorum, String cluster) {
    private static final String SERVER = "[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?:[0-9]{1,5}";
    private static final Pattern FORM =
            Pattern.compile("zk://(" + SERVER + "(?:," + SERVER + ")*)/([A-Za-z0-9_][-_.A-Za-z0-9]{0,127})");
    private static final int HIGHEST_PORT = (1 << 16) - 1;

    /** Reads {@code zk://host:port[,host:port…]/cluster}; REJECTED with that form when it is anything else. */
    public static ClusterAddress parse(String text) throws RejectedException {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches() || !portsExist(parts.group(1))) {
            throw new RejectedException(
                    "cluster address \"" + text + "\" is none",
                    "write zk://host:port[,host:port...]/cluster, as in zk://127.0.0.1:2181/main");
        }
        return new ClusterAddress(parts.group(1), parts.group(2));
    }

    @Override
    public String toString() {
        return "zk://" + quorum + "/" + cluster;
    }

    private static boolean portsExist(String quorum) {
        return Pattern.compile(",")
                .splitAsStream(quorum)
                .map(server -> Integer.parseInt(server.substring(server.indexOf(':') + 1)))
                .allMatch(port -> port > 0 && port <= HIGHEST_PORT);
    }
}
