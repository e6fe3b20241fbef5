package bt.testing;

/** What goes wrong in a simulation: counted where it takes effect, not where somebody asked for it. */
public enum Mishap {
    REQUEST_LOST,
    /** It arrives when its sender has given up, and may have sent another. */
    REQUEST_LATE,
    /** A copy of it arrives too, up to seconds later. */
    REQUEST_TWICE,
    /** The request was handled. */
    ANSWER_LOST,
    /** The answer is seconds old when it arrives. */
    ANSWER_OLD,
    /** A message is stopped on a way that is open in the other direction. */
    CUT_ONE_WAY,
    /** A message is stopped where nothing passes in the other direction either. */
    CUT_BOTH_WAYS,
    LOCK_REQUEST_LOST,
    LOCK_REQUEST_LATE,
    /** Of the lock service, which did what it was asked for. */
    LOCK_ANSWER_LOST,
    /** What was read of the lock service is seconds old when it arrives, and so may be what was written. */
    LOCK_ANSWER_OLD,
    SESSION_EXPIRED,
    /** More than a second after the lock service had declared it. */
    EXPIRY_LEARNT_LATE,
    WRITE_SLOW,
    /** Nothing was done. */
    WRITE_FAILED,
    /** It was done, and whoever wrote was told that it failed. */
    WRITE_DONE_AND_FAILED,
    READ_FAILED,
    /** Of a file that its crashed writer had not synced, some is gone. */
    UNSYNCED_LOST,
    /** Of such a file there is a part all the same. */
    TAIL_TORN,
    CRASHED_AT_STEP,
    /** No mishap: a server that was asked to end has done so, in whatever else went wrong. */
    ENDED_AS_ASKED,
    PAUSED_AT_CHANGE,
    /** A server hears a master when one that came later was heard already: each takes itself for the only one. */
    TWO_MASTERS
}
