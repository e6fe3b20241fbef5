package bt.master;

import static bt.base.Check.checkArgument;

/**
 * How the master works. The lease is how long a tablet server may go on answering reads after its last renewal, so what
 * must pass between its death and another server's load. For {@code returnWaitMillis} after its death a server's successor
 * on the same host is waited for. Below so many requests a second no tablet is split for being busy; 0: none ever is. Who
 * holds its lock and answers nobody for {@code silenceMillis} is taken for dead. With a pass that nothing waits for the
 * rows of so many tablets are read for nothing but to check what the master knows; of more where there are so many that all would take
 * longer than ten minutes. From a server that drains so many tablets are moved at a time, at most. What the master knows of users'
 * tablets may take {@code tabletBytes} of its memory before no more are made; 0: a quarter of its heap.
 */
public record MasterConfig(
        long leaseMillis,
        long loopMillis,
        long passMillis,
        long requestMillis,
        Graces graces,
        MergeConfig merges,
        long returnWaitMillis,
        long splitRequestsPerSecond,
        long silenceMillis,
        int checkedTablets,
        int drainMoves,
        long tabletBytes) {
    /** How long a silence is borne beyond a session, which ends for who renews it no more. */
    private static final long SESSION_MARGIN_MILLIS = 4_000;

    private static final long MIN_SILENCE_MILLIS = 10_000;

    public static final MasterConfig DEFAULT = new MasterConfig(
            6_000, 300, 10_000, 5_000, Graces.DEFAULT, MergeConfig.DEFAULT, 3_000, 1_000, MIN_SILENCE_MILLIS);

    private static final int CHECKED_TABLETS = 5_000;
    private static final int DRAIN_MOVES = 4;
    private static final long BY_HEAP = 0;

    public MasterConfig {
        checkArgument(leaseMillis > 0 && loopMillis > 0 && requestMillis > 0, "periods are positive");
        checkArgument(returnWaitMillis >= 0, "servers are waited for %d ms", returnWaitMillis);
        checkArgument(splitRequestsPerSecond >= 0, "splits from %d requests a second", splitRequestsPerSecond);
        checkArgument(silenceMillis > 0, "death after %d ms of silence", silenceMillis);
        checkArgument(passMillis >= loopMillis, "a pass every %d ms, a loop every %d", passMillis, loopMillis);
        checkArgument(checkedTablets > 0, "%d tablets are checked with a pass", checkedTablets);
        checkArgument(drainMoves > 0, "%d moves at a time", drainMoves);
        checkArgument(tabletBytes >= 0, "%d bytes for tablets", tabletBytes);
    }

    /** With as many tablets checked, and moved at a time, as usual. */
    public MasterConfig(
            long leaseMillis,
            long loopMillis,
            long passMillis,
            long requestMillis,
            Graces graces,
            MergeConfig merges,
            long returnWaitMillis,
            long splitRequestsPerSecond,
            long silenceMillis) {
        this(
                leaseMillis,
                loopMillis,
                passMillis,
                requestMillis,
                graces,
                merges,
                returnWaitMillis,
                splitRequestsPerSecond,
                silenceMillis,
                CHECKED_TABLETS,
                DRAIN_MOVES,
                BY_HEAP);
    }

    /**
     * How long a server may be silent where sessions with the lock service last so long: no shorter than a pause that its
     * session is set to survive.
     */
    public static long silenceFor(long sessionMillis) {
        return Math.max(MIN_SILENCE_MILLIS, sessionMillis + SESSION_MARGIN_MILLIS);
    }

    /** The same, with so many tablets checked. */
    public MasterConfig checking(int tablets) {
        return with(leaseMillis, tablets, drainMoves, tabletBytes);
    }

    /** The same, with a lease of this length. */
    public MasterConfig leased(long millis) {
        return with(millis, checkedTablets, drainMoves, tabletBytes);
    }

    /** The same, with so many tablets moved at a time from a server that drains. */
    public MasterConfig draining(int moves) {
        return with(leaseMillis, checkedTablets, moves, tabletBytes);
    }

    /** The same, with so much memory for what it knows of tablets; 0: a quarter of the heap. */
    public MasterConfig knowing(long bytes) {
        return with(leaseMillis, checkedTablets, drainMoves, bytes);
    }

    private MasterConfig with(long lease, int checked, int moves, long tablets) {
        return new MasterConfig(
                lease,
                loopMillis,
                passMillis,
                requestMillis,
                graces,
                merges,
                returnWaitMillis,
                splitRequestsPerSecond,
                silenceMillis,
                checked,
                moves,
                tablets);
    }
}
