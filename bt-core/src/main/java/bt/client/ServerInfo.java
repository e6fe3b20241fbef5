package bt.client;

import bt.record.CacheReport;
import bt.record.ServerLine;
import java.util.List;

/**
 * A tablet server as the master sees it.
 *
 * @param id of its process
 * @param address where clients reach it, as host:port
 * @param epoch of the time that it serves, from the creation of its file at the lock service on (section 5.2 of the paper: its
 *     lock)
 * @param isAlive whether it has answered the master's last question; else nothing more is known of it
 * @param tablets how many it has, those that it is loading included
 * @param pid of its process on its machine
 * @param isDraining whether its tablets are moved away, and it is given none ({@link Admin#startDrain})
 * @param lockServiceOutageMillis for how long, since its start, reads waited because the lock service (ZooKeeper) did not
 *     renew its lease
 */
public record ServerInfo(
        String id,
        String address,
        long epoch,
        boolean isAlive,
        int tablets,
        int pid,
        boolean isDraining,
        long lockServiceOutageMillis,
        List<Cache> caches) {
    public ServerInfo {
        caches = List.copyOf(caches);
    }

    /**
     * One of its caches, since its start: {@code blocks}, {@code scans}, {@code in-memory} (of its files hits were loaded, and
     * misses found no room), {@code open-files}, {@code local} (copies of blocks on its machine's disk), and those of METADATA.
     *
     * @param bytes in it now
     * @param maxBytes that it may hold; 0 of {@code local} where there is none
     * @param hits how often it had what was looked for
     * @param misses how often it had not
     */
    public record Cache(String name, long bytes, long maxBytes, long hits, long misses) {
        private static Cache of(CacheReport report) {
            return new Cache(
                    report.getName(), report.getBytes(), report.getMaxBytes(), report.getHits(), report.getMisses());
        }
    }

    static ServerInfo of(ServerLine line) {
        return new ServerInfo(
                line.getServer(),
                line.getAddress(),
                line.getEpoch(),
                line.getAlive(),
                line.getTablets(),
                line.getPid(),
                line.getDraining(),
                line.getLockServiceOutageMillis(),
                line.getCaches().stream().map(Cache::of).toList());
    }
}
