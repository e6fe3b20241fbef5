package bt.tabletserver;

import bt.record.ServerStatusRequest;

/** What the master tells with every look at a server. Whoever else asks for a status tells nothing. */
record MasterWord(QuotaGate quotas, SplitWatch splits) {
    void hear(ServerStatusRequest said) {
        quotas.hear(said.getQuotas());
        if (said.getSplitRequestsPerMinute() >= 0) {
            splits.splitFrom(said.getSplitRequestsPerMinute());
        }
    }
}
