package bt.tablet;

import bt.record.FamilyAges;
import bt.record.FileReference;
import java.util.List;

/**
 * What the choice of a compaction goes by: a file's reference, how many entries and deletions are in it, when it was
 * written, in microseconds, and what it tells of the ages of its families, 0 and nothing where its writer did not tell;
 * and whether there may be rows in it that are another tablet's.
 */
record FileFacts(
        FileReference reference,
        long entries,
        long deletions,
        long writtenMicros,
        List<FamilyAges> ages,
        boolean mayHaveOthersRows) {
    FileFacts {
        ages = List.copyOf(ages);
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

    /** The same with these ages alone. */
    FileFacts with(List<FamilyAges> some) {
        return new FileFacts(reference, entries, deletions, writtenMicros, some, mayHaveOthersRows);
    }
}
