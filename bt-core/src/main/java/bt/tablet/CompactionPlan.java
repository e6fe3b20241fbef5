package bt.tablet;

import bt.record.FileReference;
import java.util.List;

/**
 * Files to be rewritten as one for each locality group, and why. Contiguous in sequence among the files of their families;
 * {@code isMajor} when no older file of these is left out, so that deletions and what they hide may go.
 */
public record CompactionPlan(List<FileReference> inputs, boolean isMajor, Reason reason) {
    public CompactionPlan {
        inputs = List.copyOf(inputs);
    }

    /** The most urgent first. */
    public enum Reason {
        /** Somebody asked. */
        ASKED,
        /** A family promises that deleted data is off the disk within some time, and half of it is over. */
        PURGE,
        /** A read has to look at too many files. */
        FILES,
        /** The server's tablets take more of its memory than their share, and fewer files take less. */
        MEMORY,
        /** A good part of what a read walks through is deletions. */
        DELETIONS,
        /** Several files together are about as large as the one before them. */
        SIZES,
        /** About half of what is in the file is too old. */
        EXPIRED,
        /** The files follow an earlier grouping of the families. */
        GROUPS,
        /** The files hold families that were dropped, and nothing else. */
        DROPPED
    }

    public long bytes() {
        return inputs.stream().mapToLong(FileReference::getBytes).sum();
    }
}
