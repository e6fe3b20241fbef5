package bt.main;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of the machines on which the servers and the master of a cluster live, as the lock service tells: where a
 * connection comes from its sender cannot choose, what it says of itself it can. Any thread asks; one looks, now and then.
 */
final class ClusterHosts implements Predicate<String> {
    private static final Logger log = LoggerFactory.getLogger(ClusterHosts.class);
    private static final long LOOK_MILLIS = 5_000;

    /** Each of so many servers looks at so many names: their time grows with their number. */
    private static final long LOOK_MILLIS_PER_SERVER = 50;

    private static final Pattern SERVER_ID = Pattern.compile("(.+)_[0-9]+_.+");

    private volatile Set<String> addresses = Set.of();

    @Override
    public boolean test(String address) {
        return addresses.contains(address);
    }

    /** The worker that looks, until it is interrupted. */
    void follow(LockService locks, Scheduler scheduler) throws InterruptedException {
        while (true) {
            int servers = 0;
            try {
                servers = look(locks);
            } catch (BigtableException unknown) {
                // Those that are known stay.
                log.debug("machines of the cluster: {}", unknown.getMessage());
            }
            scheduler.pause(LOOK_MILLIS + LOOK_MILLIS_PER_SERVER * servers);
        }
    }

    /** How many servers there are. */
    int look(LockService locks) throws BigtableException {
        Set<String> hosts = new HashSet<>();
        List<String> ids = locks.children(Paths.SERVERS);
        for (String id : ids) {
            hostOf(id).ifPresent(hosts::add);
        }
        Optional<SmallFile> master = locks.read(Paths.MASTER);
        if (master.isPresent()) {
            hosts.add(ProcessFiles.master(master.get()).host());
        }
        addresses = resolve(hosts);
        return ids.size();
    }

    /** A server's id begins with its host and its port: one look for all of them. */
    static Optional<String> hostOf(String id) {
        Matcher matcher = SERVER_ID.matcher(id);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Set<String> resolve(Set<String> hosts) {
        Set<String> resolved = new HashSet<>();
        for (String host : hosts) {
            try {
                for (InetAddress address : InetAddress.getAllByName(host)) {
                    resolved.add(address.getHostAddress());
                }
            } catch (UnknownHostException unknown) {
                log.debug("{}: {}", host, unknown.getMessage());
            }
        }
        return Set.copyOf(resolved);
    }
}
