package bt.tabletserver;

import bt.record.ServerStatusRequest;
import java.util.Optional;

/** What the master tells with every look at a server. Whoever else asks for a status tells nothing. */
record MasterWord(QuotaGate quotas, SplitWatch splits, EarlySorts sorts, AskedCompactions compactions) {
    /** Whether it is a look; what the master asks besides, for its collection of garbage, says nothing. */
    boolean hear(ServerStatusRequest said) {
        quotas.hear(said.getQuotas(), said.getHeardReport());
        boolean isLook = said.getSplitRequestsPerMinute() >= 0;
        if (isLook) {
            splits.splitFrom(said.getSplitRequestsPerMinute(), said.getMetadataSplitRequestsPerMinute());
            splits.refuseAsked(Optional.ofNullable(said.getNoRoomForTablets()));
            sorts.begin(said.getLogsBeingClosed());
            compactions.hear(said.getCompactions(), said.getFlushes());
        }
        return isLook;
    }
}
