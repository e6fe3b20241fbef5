package bt.examples.cluster;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.main.ServerHeap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The masters and tablet servers of a cluster, as many as there should be of each, started and killed. One thread. */
final class Fleet {
    private final Workplace at;
    private final String cluster;
    private final Layout layout;
    private final String root;
    private final Ways ways;
    private final int mastersWanted;
    private final int serversWanted;
    private final Map<String, String> changed = new HashMap<>();

    /** By the address that others know it by. */
    private final Map<String, JavaProcess> masters = new HashMap<>();

    /** Changed by the owner alone; others may look. */
    private final List<JavaProcess> servers = new CopyOnWriteArrayList<>();

    private int started;

    /** The cluster by its name alone; its files lie below the root. */
    Fleet(Workplace at, String cluster, String root, Layout layout, Ways ways, int masters, int servers) {
        this.at = at;
        this.cluster = cluster;
        this.root = root;
        this.layout = layout;
        this.ways = ways;
        this.mastersWanted = masters;
        this.serversWanted = servers;
    }

    /** Settings in place of the layout's, for processes that are started from now on. */
    void change(Map<String, String> settings) {
        changed.putAll(settings);
    }

    Collection<JavaProcess> masters() {
        return masters.values();
    }

    List<JavaProcess> servers() {
        return servers;
    }

    /** Starts the tablet servers that are missing. */
    void startServers() throws IOException {
        startServers(List.of());
    }

    /** The same, with more options of the JVM. */
    void startServers(List<String> options) throws IOException {
        while (servers.size() < serversWanted) {
            List<String> all = new ArrayList<>(ServerHeap.options(layout.serverMegabytes()));
            all.addAll(options);
            String name = name("tabletserver");
            // A port of its own choice is enough where nobody stands before it.
            Map<String, String> place =
                    layout.doors() ? ways.placeFor(name, "tabletserver").settings() : Map.of();
            servers.add(run(name, "tabletserver", all, place));
        }
    }

    /** Forgets the tablet servers that have ended by themselves; those. */
    List<JavaProcess> forgetEnded() {
        List<JavaProcess> ended =
                servers.stream().filter(server -> !server.isAlive()).toList();
        servers.removeAll(ended);
        ended.forEach(each -> ways.shut(each.name()));
        return ended;
    }

    /** Starts a master for each that has ended, or was killed. */
    void startMasters() throws IOException {
        startMasters(List.of());
    }

    /** The same, with more options of the JVM. */
    void startMasters(List<String> more) throws IOException {
        masters.values().stream().filter(master -> !master.isAlive()).forEach(each -> ways.shut(each.name()));
        masters.values().removeIf(master -> !master.isAlive());
        while (masters.size() < mastersWanted) {
            String name = name("master");
            Ways.Place place = ways.placeFor(name, "master");
            List<String> options = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC"));
            options.addAll(more);
            masters.put(place.known(), run(name, "master", options, place.settings()));
        }
    }

    /** Whether all masters live. */
    boolean hasItsMasters() {
        return masters.size() == mastersWanted && masters.values().stream().allMatch(JavaProcess::isAlive);
    }

    void killServer(JavaProcess server) throws InterruptedException, BigtableException {
        server.kill();
        servers.remove(server);
        ways.shut(server.name());
    }

    /** It is not ended with the others: that is for whoever has it hang. */
    void hangServer(JavaProcess server) throws IOException, InterruptedException {
        server.pause();
        servers.remove(server);
        // Who is connected to it stays so, and learns nothing.
        ways.toZooKeeper().shut(server.name());
    }

    /** The master that listens there. */
    JavaProcess masterAt(String address) throws UnavailableException {
        JavaProcess master = masters.get(address);
        if (master == null) {
            throw new UnavailableException("the master at " + address + " is not ours", Outcome.NOT_APPLIED);
        }
        return master;
    }

    /** Whether this is the master there. */
    boolean listensOn(String address, JavaProcess master) {
        return master.equals(masters.get(address));
    }

    void killAll() throws InterruptedException, BigtableException {
        for (JavaProcess server : servers) {
            server.kill();
        }
        for (JavaProcess master : masters.values()) {
            master.kill();
        }
        ways.close();
    }

    private String name(String role) {
        started++;
        return role + "-" + started;
    }

    private JavaProcess run(String name, String role, List<String> options, Map<String, String> more)
            throws IOException {
        List<String> jvm = new ArrayList<>(options);
        jvm.add("-Dbt.conf.dir=" + at.conf());
        // As a container on YARN has it: by this name whoever started it reports its end.
        jvm.add("-Dbt.process=" + name);
        String address = "zk://" + ways.quorumFor(name) + "/" + cluster;
        List<String> words = new ArrayList<>(List.of("bt.main.Main", role, "--at", address));
        Map<String, String> all = new HashMap<>(layout.settings());
        all.putAll(changed);
        all.put("root", root);
        all.putAll(more);
        all.forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
        ProcessBuilder.Redirect output =
                ProcessBuilder.Redirect.appendTo(at.log(name).toFile());
        return JavaProcess.start(name, at, jvm, output, words);
    }
}
