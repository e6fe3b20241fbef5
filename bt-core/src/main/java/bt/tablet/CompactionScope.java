package bt.tablet;

/**
 * What a compaction may do to what it reads. Up to {@code horizon}, a sequence, no read asks for an earlier state; ages are
 * judged at {@code nowMicros}, which no read's time is before. {@code hasAllOlder} when every older file of the tablet that
 * holds any of the families is among the inputs. {@code mayDeleteVersions} unless no input has a deletion of versions.
 */
record CompactionScope(long horizon, long nowMicros, boolean hasAllOlder, boolean mayDeleteVersions) {
    /** What keeps everything. */
    static final CompactionScope NOTHING = new CompactionScope(-1, Long.MIN_VALUE, false, true);
}
