package bt.master;

import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.protocol.TabletListing;
import bt.record.TabletReport;
import java.util.function.Predicate;

/**
 * From how many requests a minute on a tablet is too busy: when it alone has more than half of what each server would have
 * if they were spread evenly, for then nothing but a split can spread them, and never below a floor. As all tablets share the
 * same requests, there are few that exceed it however often they split. Nothing is too busy for a single server. METADATA's tablets share
 * what they are asked for among themselves; the root tablet, which is never split, is none of them.
 */
record FairShare(long floorPerSecond) {
    /** Of users' tablets; 0 when none is to be split for it. */
    long perMinute(Sight sight) {
        return perMinute(sight, report -> report.getTableId() != TableSchema.METADATA_ID);
    }

    /** The same of METADATA's. */
    long ofMetadataPerMinute(Sight sight) {
        return perMinute(
                sight,
                report -> report.getTableId() == TableSchema.METADATA_ID
                        && !TabletListing.name(report).equals(MetadataSchema.ROOT));
    }

    private long perMinute(Sight sight, Predicate<TabletReport> which) {
        if (floorPerSecond == 0 || sight.takers().size() < 2) {
            return 0;
        }
        long all = 0;
        for (Poll.Holdings holdings : sight.answered().values()) {
            for (TabletReport report : holdings.tablets().values()) {
                all += which.test(report) ? report.getRequestsPerMinute() : 0;
            }
        }
        return Math.max(60 * floorPerSecond, all / sight.takers().size() / 2);
    }
}
