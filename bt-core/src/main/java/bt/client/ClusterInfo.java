package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.record.ClusterSummary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the lock service knows of a cluster, whether it runs or not: the summary that its master wrote last, how long ago
 * that was (by this machine's clock against the lock service's), and who is registered. The lock service is the Chubby
 * of section 4 of the paper.
 */
public record ClusterInfo(
        String name, Health health, Optional<Summary> summary, long silentMillis, int servers, String fact) {
    /** A master is late when it has missed this many summaries. */
    private static final int LATE_PERIODS = 4;

    private static final long DEFAULT_PERIOD_MILLIS = 5_000;

    /**
     * What a master writes of its cluster every few seconds.
     *
     * @param version of bt
     * @param unsettled tablets that are not as they should be yet
     * @param bytes of all files
     * @param requests of all servers together
     * @param problems the first that the master knows of
     */
    public record Summary(
            String version,
            int tables,
            int tablets,
            int unsettled,
            long bytes,
            Requests requests,
            List<String> problems) {
        public Summary {
            problems = List.copyOf(problems);
        }

        private static Summary of(ClusterSummary written) {
            return new Summary(
                    written.getVersion(),
                    written.getTables(),
                    written.getTablets(),
                    written.getUnsettled(),
                    written.getBytes(),
                    Requests.of(written),
                    written.getFirstProblems());
        }
    }

    /**
     * What servers are asked for, and how fast 99 in a hundred of the requests are answered; empty where there were none.
     *
     * @param p99Micros of all requests, then of reads and of writes alone
     */
    public record Requests(
            double requestsPerSecond,
            double bytesPerSecond,
            OptionalLong p99Micros,
            OptionalLong readP99Micros,
            OptionalLong writeP99Micros) {
        private static Requests of(ClusterSummary written) {
            return new Requests(
                    written.getRequestsPerSecond(),
                    written.getBytesPerSecond(),
                    known(written.getP99Micros()),
                    known(written.getReadP99Micros()),
                    known(written.getWriteP99Micros()));
        }

        private static OptionalLong known(long micros) {
            return micros < 0 ? OptionalLong.empty() : OptionalLong.of(micros);
        }
    }

    /** How a cluster is, as far as its files of the lock service tell. */
    public enum Health {
        /** A master holds its lock, writes its summaries and knows of no problem. */
        HEALTHY,
        /** Its master knows of tablets that are not served, or of other problems. */
        DEGRADED,
        /** A master holds its lock but has written no summary for some time. */
        SILENT,
        /** No process holds the master's lock: nobody assigns tablets. Servers may serve all the same. */
        NO_MASTER,
        /** What lies there cannot be read. */
        UNREADABLE
    }

    /**
     * Reads it; empty where no cluster was ever started. UNAVAILABLE where the lock service does not answer; what is damaged is
     * told as a state.
     *
     * @param nowMicros since 1970, by this machine's clock
     */
    public static Optional<ClusterInfo> read(String name, LockService locks, long nowMicros) throws BigtableException {
        if (locks.read(Paths.INSTANCE).isEmpty()) {
            return Optional.empty();
        }
        boolean hasMaster = locks.read(Paths.MASTER_LOCK).isPresent();
        int servers = locks.children(Paths.SERVERS).size();
        Optional<SmallFile> file = locks.read(Paths.SUMMARY);
        // One that was started once and never got so far has at least the file of its master.
        Optional<SmallFile> sign = file.isPresent() ? file : locks.read(Paths.MASTER);
        long silent = sign.map(seen -> Math.max(0, (nowMicros - seen.modifiedMicros()) / 1_000))
                .orElse(0L);
        try {
            Optional<ClusterSummary> summary = file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(AvroBytes.decode(Paths.SUMMARY, file.get().content(), ClusterSummary.class));
            Health health = health(hasMaster, summary, silent);
            return Optional.of(
                    new ClusterInfo(name, health, summary.map(Summary::of), silent, servers, fact(health, summary)));
        } catch (BigtableException damaged) {
            return Optional.of(
                    new ClusterInfo(name, Health.UNREADABLE, Optional.empty(), silent, servers, damaged.getMessage()));
        }
    }

    private static Health health(boolean hasMaster, Optional<ClusterSummary> summary, long silentMillis) {
        if (!hasMaster) {
            return Health.NO_MASTER;
        }
        long period = summary.map(ClusterSummary::getPeriodMillis).orElse(DEFAULT_PERIOD_MILLIS);
        if (silentMillis > LATE_PERIODS * period) {
            return Health.SILENT;
        }
        boolean isWell = summary.isPresent()
                && summary.get().getProblems() == 0
                && summary.get().getUnsettled() == 0;
        return isWell ? Health.HEALTHY : Health.DEGRADED;
    }

    private static String fact(Health health, Optional<ClusterSummary> summary) {
        if (health != Health.DEGRADED || summary.isEmpty()) {
            return "";
        }
        return summary.get().getFirstProblems().isEmpty()
                ? summary.get().getUnsettled() + " tablets are not as they should be yet"
                : summary.get().getFirstProblems().get(0);
    }
}
