package bt.tablet;

/** Timestamps from the oldest to the newest, both included; none where the oldest is newer than the newest. */
record TimeSpan(long oldest, long newest) {
    static final TimeSpan ALL = new TimeSpan(Long.MIN_VALUE, Long.MAX_VALUE);

    static final TimeSpan NONE = new TimeSpan(Long.MAX_VALUE, Long.MIN_VALUE);

    TimeSpan intersect(TimeSpan that) {
        return new TimeSpan(Math.max(oldest, that.oldest), Math.min(newest, that.newest));
    }

    /** Both, and what lies between them. */
    TimeSpan hull(TimeSpan that) {
        if (isEmpty()) {
            return that;
        }
        return that.isEmpty() ? this : new TimeSpan(Math.min(oldest, that.oldest), Math.max(newest, that.newest));
    }

    boolean isEmpty() {
        return oldest > newest;
    }
}
