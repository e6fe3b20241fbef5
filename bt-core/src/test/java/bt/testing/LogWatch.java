package bt.testing;

import bt.log.LogStream;
import bt.protocol.Answer;
import bt.protocol.Service;
import bt.record.LogReport;
import bt.record.ServerStatus;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts {@link LogWork}: by the files of logs that are deleted, and by what servers say of themselves whenever a master
 * looks at them. Used by whoever holds the baton.
 */
final class LogWatch {
    private static final long MANY_MUTATIONS = 20;

    private final SimScheduler scheduler;
    private final Map<Long, Said> saidByEpoch = new HashMap<>();

    LogWatch(SimScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Since the server's start. */
    private record Said(long replayed, LogReport log) {
        static final Said NOTHING = new Said(0, new LogReport(0L, 0L, 0L, 0L, 0L));
    }

    /** The same service, looked at. */
    Service over(Service server) {
        return (caller, request) -> server.handle(caller, request).whenComplete((answer, failure) -> {
            if (answer instanceof Answer.Control control && control.message() instanceof ServerStatus status) {
                look(status);
            }
        });
    }

    private void look(ServerStatus status) {
        Said before = saidByEpoch.getOrDefault(status.getEpoch(), Said.NOTHING);
        if (status.getReplayedMutations() > before.replayed() + MANY_MUTATIONS) {
            scheduler.count(LogWork.LONG_REPLAY);
        }
        if (status.getLog().getCopies() > before.log().getCopies()) {
            scheduler.count(LogWork.COPIED);
        }
        if (status.getLog().getFlushes() > before.log().getFlushes()) {
            scheduler.count(LogWork.FLUSHED);
        }
        saidByEpoch.put(status.getEpoch(), new Said(status.getReplayedMutations(), status.getLog()));
    }

    /** A master or a server has deleted a file. */
    void deleted(String path) {
        if (path.startsWith(LogStream.LIVE + "/")) {
            scheduler.count(LogWork.SEGMENT_RELEASED);
        }
    }
}
