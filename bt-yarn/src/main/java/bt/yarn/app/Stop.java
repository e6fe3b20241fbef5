package bt.yarn.app;

/** Whether the cluster is to end, and how far that is. */
enum Stop {
    NOT_ASKED,
    ASKED,
    /** The master has been told: it ends the tablet servers in the right order, then itself. */
    UNDER_WAY,
    /** It has told them all to end, which hold nothing any more: the other masters are told by nobody. */
    SERVERS_ENDED,
    /** It took too long, or there is no master to tell: the logs hold what was not written. */
    OVERDUE
}
