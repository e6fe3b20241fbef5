package bt.tablet;

import bt.base.BigtableException;
import bt.model.CellKey;
import bt.model.LocalityGroup;
import bt.record.FileReference;
import bt.sstable.Cursor;
import java.util.List;

/**
 * Writes a frozen memtable to one SSTable for each locality group that has something in it (section 5.4 of the paper).
 * Everything is kept, but for deletions of rows in groups that {@link Frozen#groups} leaves out.
 */
public final class MinorCompaction {
    private MinorCompaction() {}

    /**
     * References to the new files, which are complete and on disk; none when all families of the memtable were dropped
     * meanwhile. A failure leaves files that nobody names.
     */
    public static List<FileReference> write(Frozen frozen, TabletContext context, Pace pace)
            throws BigtableException, InterruptedException {
        return write(frozen, frozen.groups(), context, pace);
    }

    /** Of these groups only. */
    static List<FileReference> write(Frozen frozen, List<LocalityGroup> groups, TabletContext context, Pace pace)
            throws BigtableException, InterruptedException {
        boolean done = false;
        GroupFiles files = new GroupFiles(groups, frozen.span(), context);
        try {
            Cursor cursor =
                    new FamilyCursor(frozen.memtable().cursor(), CompactionInputs.families(groups, frozen.schema()));
            Strides strides = new Strides(pace);
            while (cursor.next()) {
                strides.take(cursor.key().length() + cursor.value().length());
                files.add(cursor.key(), cursor.value(), CellKey.familyOf(cursor.key()));
            }
            List<FileReference> written = files.finish();
            done = true;
            return written;
        } finally {
            if (!done) {
                files.abandon();
            }
        }
    }
}
