package bt.tabletserver;

import bt.base.Halt;
import bt.base.Scheduler;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.LogReport;
import bt.tabletserver.Registration.Registered;
import java.util.List;

/** The two commit queues of a server. Load on the one never refuses or delays what the other has to do. */
record CommitQueues(CommitQueue metadata, CommitQueue user) {
    static CommitQueues start(
            Registered registered, TabletServerConfig config, Scheduler scheduler, CommitHooks hooks, Halt halt) {
        return new CommitQueues(
                CommitQueue.start(
                        "commit-metadata",
                        scheduler,
                        registered.metadataLog(),
                        config.metadataMemtableBytes(),
                        hooks,
                        halt),
                CommitQueue.start("commit", scheduler, registered.userLog(), config.memtableBytes(), hooks, halt));
    }

    CommitQueue of(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? metadata : user;
    }

    /**
     * Whether the tablet may be loaded with what logs hold of it. METADATA's may whatever there is in memory: what becomes a file has
     * its name there.
     */
    boolean haveRoom(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID || user.hasRoom();
    }

    /** What was done to keep both logs short, and what was written to that of users' tables. */
    LogReport logReport() {
        LogReport one = user.logReport();
        LogReport other = metadata.logReport();
        return new LogReport(
                one.getCopies() + other.getCopies(),
                one.getFlushes() + other.getFlushes(),
                one.getBatches(),
                one.getWrites(),
                one.getBytes());
    }

    /** Both of them, the one for METADATA's tablets first. */
    List<CommitQueue> all() {
        return List.of(metadata, user);
    }

    void abandon() {
        user.abandon();
        metadata.abandon();
    }

    /** Whether both commit threads were seen at work within so many nanoseconds. */
    boolean haveProgressed(long nowNanos, long withinNanos) {
        return nowNanos - metadata.progressNanos() < withinNanos && nowNanos - user.progressNanos() < withinNanos;
    }
}
