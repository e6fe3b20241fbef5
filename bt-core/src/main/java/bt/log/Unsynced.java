package bt.log;

/**
 * The batches that the active segment got since it was last synced, to be sent along when the log leaves that segment:
 * nobody will sync it any more. Owned by the {@link CommitLog}.
 */
final class Unsynced {
    /**
     * What would be more is synced instead: while a disk takes it nobody is answered, so it is little. A batch keeps a buffer
     * of this size, so that nothing is allocated for it.
     */
    static final int MAX_BYTES = 4 << 20;

    private LogBatch batches = new LogBatch();

    /** Whether a writer may be reading it, now or whenever a file system that hangs lets it go on. */
    private boolean sent;

    boolean isEmpty() {
        return batches.isEmpty();
    }

    boolean hasRoomFor(LogBatch batch) {
        return (long) batches.bytes() + batch.bytes() <= MAX_BYTES;
    }

    void add(LogBatch batch) {
        if (sent) {
            batches = new LogBatch().add(batches);
            sent = false;
        }
        batches.add(batch);
    }

    /** All of it as one batch, which stays as it is. */
    LogBatch send() {
        sent = true;
        return batches;
    }

    void clear() {
        if (sent) {
            batches = new LogBatch();
            sent = false;
        } else {
            batches.clear();
        }
    }
}
