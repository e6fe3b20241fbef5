package bt.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What happens to a cluster while it is used: what operators ask for, and what goes wrong. */
enum Trouble {
    SPLIT,
    MERGE,
    MOVE,
    FLUSH,
    ALTER,
    DRAIN,
    /** Of a server, as before its machine is repaired. */
    STOP,
    MOVE_METADATA,
    SPLIT_METADATA,
    /** Of a server, a master or a client. */
    CRASH,
    /** Of the server or the master that next takes a step of some kind which outlives it: before the step, or after it. */
    CRASH_AT_STEP,
    /** Shorter than the session. */
    SHORT_PAUSE,
    /** The lock service takes the process for dead while it only stands still. */
    LONG_PAUSE,
    /**
     * The same, with a change of METADATA under way: it is made when others have been there. Then all servers may die.
     */
    PAUSE_AT_CHANGE,
    SESSION_EXPIRES,
    /** Of a process from another or from all, in one direction or in both. */
    CUT,
    /** Of one process from the lock service. */
    LOCKS_CUT,
    /** A server is left alone with one client. */
    ISLAND,
    LOCKS_DOWN,
    /** Messages are lost, slow, or so late that they are sent again. */
    BAD_NETWORK,
    /** File operations are slow, or fail before or after they are done. */
    BAD_FILES,
    /** A process's clock is wrong. */
    CLOCK;

    /** Everything that an operator asks for. */
    static Set<Trouble> work() {
        return EnumSet.range(SPLIT, SPLIT_METADATA);
    }

    static Set<Trouble> all() {
        return EnumSet.allOf(Trouble.class);
    }
}
