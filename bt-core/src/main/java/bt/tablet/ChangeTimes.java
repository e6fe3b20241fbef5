package bt.tablet;

/**
 * When the earliest changes of one family were made, by the server's clock, in microseconds; 0 where there are none. Puts
 * that carry a time of the client's can overwrite a version, beside pushing others out of a limit as every put can.
 */
record ChangeTimes(int family, long deletionMicros, long putMicros, long timedPutMicros) {
    /** The earlier of two times, of which 0 is none. */
    static long earlier(long a, long b) {
        return a == 0 || b == 0 ? Math.max(a, b) : Math.min(a, b);
    }
}
