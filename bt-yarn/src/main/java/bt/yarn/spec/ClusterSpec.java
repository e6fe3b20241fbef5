package bt.yarn.spec;

import bt.base.RejectedException;
import java.util.Map;

/** What is to run: so many tablet servers and masters, of which one is active, in containers of so much memory. */
public record ClusterSpec(int servers, int masters, int masterMegabytes, int tabletServerMegabytes) {
    public static final int MAX_SERVERS = 10_000;
    private static final int LEAST_MEGABYTES = 256;
    private static final String MASTERS = "yarn.masters";

    /** With the masters and the memory that the configuration says. */
    public static ClusterSpec of(int servers, Map<String, String> configuration) throws RejectedException {
        if (servers < 1 || servers > MAX_SERVERS) {
            throw new RejectedException(
                    "a cluster of " + servers + " tablet servers", "ask for at least 1 and at most " + MAX_SERVERS);
        }
        return new ClusterSpec(
                servers,
                masters(configuration.getOrDefault(MASTERS, "")),
                megabytes(configuration, "yarn.master.mb"),
                megabytes(configuration, "yarn.tabletserver.mb"));
    }

    public int wanted(Role role) {
        return switch (role) {
            case MASTER -> masters;
            case TABLET_SERVER -> servers;
        };
    }

    /** Masters and tablet servers, all together. */
    public int processes() {
        return masters + servers;
    }

    public int megabytes(Role role) {
        return switch (role) {
            case MASTER -> masterMegabytes;
            case TABLET_SERVER -> tabletServerMegabytes;
        };
    }

    /** The application master decides as much as a master, and holds less. */
    public int applicationMasterMegabytes() {
        return masterMegabytes;
    }

    /** Memory of all containers, the application master's included. */
    public long totalMegabytes() {
        return (long) applicationMasterMegabytes()
                + (long) masters * masterMegabytes
                + (long) servers * tabletServerMegabytes;
    }

    private static int masters(String value) throws RejectedException {
        if (!value.matches("[1-9]")) {
            throw new RejectedException(MASTERS + ": \"" + value + "\" masters", "write a number from 1 to 9");
        }
        return Integer.parseInt(value);
    }

    private static int megabytes(Map<String, String> configuration, String key) throws RejectedException {
        String value = configuration.getOrDefault(key, "");
        try {
            int megabytes = Integer.parseInt(value);
            if (megabytes >= LEAST_MEGABYTES) {
                return megabytes;
            }
        } catch (NumberFormatException noNumber) {
            // Refused below, like a number that is too small.
        }
        throw new RejectedException(
                key + ": \"" + value + "\" is no memory of a container",
                "write a number of megabytes, " + LEAST_MEGABYTES + " or more");
    }
}
