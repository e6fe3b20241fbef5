package bt.coord.zookeeper;

import org.apache.zookeeper.client.ZKClientConfig;

/**
 * The configuration of ZooKeeper's client, which it takes from the system properties of this JVM. To learn the names of
 * those that concern TLS it makes Java ready for TLS, with the certificates of all authorities: a quarter of a second of
 * every process that connects. Here that is left out where no property is set that could be taken.
 */
final class ClientConfig extends ZKClientConfig {
    private static final String OF_ZOOKEEPER = "zookeeper.";
    private static final String OF_ITS_RECORDS = "jute.";

    /** The constructor of the class above calls it: nothing of this object is set by then. */
    @Override
    protected void handleBackwardCompatibility() {
        boolean anything = System.getProperties().stringPropertyNames().stream()
                .anyMatch(name -> name.startsWith(OF_ZOOKEEPER) || name.startsWith(OF_ITS_RECORDS));
        if (anything) {
            super.handleBackwardCompatibility();
        }
    }
}
