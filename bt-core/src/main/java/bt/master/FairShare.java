package bt.master;

import bt.model.TableSchema;
import bt.record.TabletReport;

/**
 * From how many requests a minute on a tablet is too busy: when it alone has more than half of what each server would have
 * if they were spread evenly, for then nothing but a split can spread them, and never below a floor. As all tablets share the
 * same requests, there are few that exceed it however often they split. Nothing is too busy for a single server.
 */
record FairShare(long floorPerSecond) {
    /** 0 when no tablet is to be split for it. */
    long perMinute(Sight sight) {
        if (floorPerSecond == 0 || sight.takers().size() < 2) {
            return 0;
        }
        long all = 0;
        for (Poll.Holdings holdings : sight.answered().values()) {
            for (TabletReport report : holdings.tablets().values()) {
                all += report.getTableId() == TableSchema.METADATA_ID ? 0 : report.getRequestsPerMinute();
            }
        }
        return Math.max(60 * floorPerSecond, all / sight.takers().size() / 2);
    }
}
