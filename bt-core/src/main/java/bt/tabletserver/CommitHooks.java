package bt.tabletserver;

import bt.base.BigtableException;

/** Whom the commit thread turns to for what would hold it up. All return at once. */
interface CommitHooks {
    /** The row has changed since the write was evaluated: it goes to a reader once more. */
    void evaluateAgain(WriteEntry entry, HostedTablet tablet);

    /** The tablet's memtable should become files. */
    void compact(HostedTablet tablet);

    /** The same for the log's sake, which can wait for a turn: asked for again each second while that lasts. */
    void compactForLog(HostedTablet tablet);

    /** Whether the tablet should take no more writes until some of its files are merged. */
    default boolean isCrowded(HostedTablet tablet) {
        return false;
    }

    /** Whether nobody else can have acknowledged a write to a tablet that is served here. */
    default boolean isLeaseHeld() {
        return true;
    }

    /** Whether the server's clock is right enough for timestamps of users' cells. */
    default boolean mayStamp() {
        return true;
    }

    /**
     * REJECTED when the user has not the right to the write, or table or user has no room for what it is going to add; OVERLOADED when the
     * server has none for a file more of the tablet.
     */
    default void check(WriteEntry entry, HostedTablet tablet) throws BigtableException {}

    /** What the write adds to its table, and to its tablet, is to be counted: it is going to be there. */
    default void admitted(WriteEntry entry, HostedTablet tablet) {}
}
