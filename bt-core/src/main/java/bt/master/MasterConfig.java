package bt.master;

import static bt.base.Check.checkArgument;

/**
 * How the master works. The lease is how long a tablet server may go on answering reads after its last renewal, so what
 * must pass between its death and another server's load. For {@code returnWaitMillis} after its death a server's successor
 * on the same host is waited for. Below so many requests a second no tablet is split for being busy; 0: none ever is.
 */
public record MasterConfig(
        long leaseMillis,
        long loopMillis,
        long passMillis,
        long requestMillis,
        Graces graces,
        MergeConfig merges,
        long returnWaitMillis,
        long splitRequestsPerSecond) {
    public static final MasterConfig DEFAULT =
            new MasterConfig(6_000, 300, 10_000, 5_000, Graces.DEFAULT, MergeConfig.DEFAULT, 3_000, 1_000);

    public MasterConfig {
        checkArgument(leaseMillis > 0 && loopMillis > 0 && requestMillis > 0, "periods are positive");
        checkArgument(returnWaitMillis >= 0, "servers are waited for %d ms", returnWaitMillis);
        checkArgument(splitRequestsPerSecond >= 0, "splits from %d requests a second", splitRequestsPerSecond);
        checkArgument(passMillis >= loopMillis, "a full pass every %d ms, a loop every %d", passMillis, loopMillis);
    }

    /** The same, with a lease of this length. */
    public MasterConfig leased(long millis) {
        return new MasterConfig(
                millis,
                loopMillis,
                passMillis,
                requestMillis,
                graces,
                merges,
                returnWaitMillis,
                splitRequestsPerSecond);
    }
}
