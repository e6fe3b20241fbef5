package bt.testing;

/** What servers have to do with their logs when these hold what is in no file. */
public enum LogWork {
    /** A segment that nobody needs any more is deleted while its server lives. */
    SEGMENT_RELEASED,
    /** Memtables with little in them are appended again, so that old segments may go. */
    COPIED,
    /** Memtables with much in them are to become files, so that old segments may go. */
    FLUSHED,
    /** Loads take more than a few mutations from the logs of dead servers. */
    LONG_REPLAY
}
