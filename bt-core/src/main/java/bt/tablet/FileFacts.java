package bt.tablet;

import bt.record.FamilyAges;
import bt.record.FileReference;
import java.util.List;

/**
 * What the choice of a compaction goes by: a file's reference, how many entries and deletions are in it, when it was
 * written, in microseconds, and what it tells of the ages of its families; 0 and nothing where its writer did not tell.
 */
record FileFacts(FileReference reference, long entries, long deletions, long writtenMicros, List<FamilyAges> ages) {
    FileFacts {
        ages = List.copyOf(ages);
    }

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
