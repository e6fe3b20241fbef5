package bt.tablet;

import bt.record.FileReference;

/**
 * What the choice of a compaction goes by: a file's reference, how many entries and deletions are in it, and when the
 * earliest of these was made, in microseconds; 0 where nobody knows.
 */
record FileFacts(FileReference reference, long entries, long deletions, long oldestDeletionMicros) {
    /** Whether reads and compactions of the one may meet what the other holds of the same rows. */
    boolean sharesAFamilyWith(FileFacts that) {
        return reference.getFamilies().stream().anyMatch(that.reference.getFamilies()::contains);
    }

    /** The lowest sequence that a reader may find in it. */
    long smallestSequence() {
        Long override = reference.getSequenceOverride();
        return override == null ? reference.getSmallestSequence() : override;
    }

    /** The highest sequence that a reader may find in it. */
    long largestSequence() {
        Long override = reference.getSequenceOverride();
        return override == null ? reference.getLargestSequence() : override;
    }
}
