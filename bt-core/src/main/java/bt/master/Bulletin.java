package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.base.Version;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.record.ClusterStatus;
import bt.record.ClusterSummary;
import bt.record.Phase;
import bt.record.TabletReport;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the master lets others know of its cluster without being asked: one small file of the lock service, written once in
 * a period and never for a request, however many clusters somebody lists. Owned by the master's thread.
 */
final class Bulletin {
    private static final Logger log = LoggerFactory.getLogger(Bulletin.class);
    private static final int FIRST_PROBLEMS = 3;
    private static final int PROBLEM_CHARACTERS = 300;

    private final LockService locks;
    private final Scheduler scheduler;
    private final long masterEpoch;
    private final long periodMillis;
    private final TrafficSum traffic = new TrafficSum();
    private long nextNanos;
    private boolean failed;

    Bulletin(LockService locks, Scheduler scheduler, long masterEpoch, long periodMillis) {
        this.locks = locks;
        this.scheduler = scheduler;
        this.masterEpoch = masterEpoch;
        this.periodMillis = periodMillis;
        this.nextNanos = scheduler.clock().nanos();
    }

    /** Writes when it is time. That it could not is said once: the next period tries again. */
    void look(Sight sight, ClusterStatus status, int tables) {
        long now = scheduler.clock().nanos();
        if (now - nextNanos < 0) {
            return;
        }
        nextNanos = now + periodMillis * 1_000_000;
        try {
            write(AvroBytes.encode(summary(sight, status, tables, traffic.since(sight, now))));
            failed = false;
        } catch (BigtableException refused) {
            if (!failed) {
                log.warn("{}: {}", Paths.SUMMARY, refused.getMessage());
            }
            failed = true;
        }
    }

    private void write(Bytes content) throws BigtableException {
        Optional<SmallFile> before = locks.read(Paths.SUMMARY);
        if (before.isEmpty()) {
            locks.create(Paths.SUMMARY, content);
        } else {
            locks.write(Paths.SUMMARY, content, before.get().version());
        }
    }

    private ClusterSummary summary(Sight sight, ClusterStatus status, int tables, TrafficSum.Rates rates) {
        long bytes = 0;
        int tablets = 0;
        for (Poll.Holdings holdings : sight.answered().values()) {
            for (TabletReport report : holdings.tablets().values()) {
                bytes += report.getFileBytes() + report.getMemtableBytes();
                tablets += report.getPhase() == Phase.SERVING ? 1 : 0;
            }
        }
        List<String> problems = status.getProblems();
        return new ClusterSummary(
                Version.TEXT,
                masterEpoch,
                periodMillis,
                tables,
                tablets,
                status.getUnassigned(),
                sight.living().size(),
                bytes,
                rates.requestsPerSecond(),
                rates.bytesPerSecond(),
                rates.p99Micros(),
                rates.readP99Micros(),
                rates.writeP99Micros(),
                problems.size(),
                problems.stream()
                        .limit(FIRST_PROBLEMS)
                        .map(problem -> problem.substring(0, Math.min(problem.length(), PROBLEM_CHARACTERS)))
                        .toList());
    }
}
