package bt.tabletserver;

import bt.base.BigtableException;

/** What the commit thread takes from its queue, in the order it came. */
sealed interface CommitEntry permits WriteEntry, CommitEntry.Between {
    /** It was not carried out. */
    void refuse(BigtableException why);

    /** Runs on the commit thread between two batches, when nothing is half done. Never fails. */
    non-sealed interface Between extends CommitEntry {
        void run(CommitWorker on);
    }
}
