package bt.testing;

import bt.base.BigtableException;
import bt.record.FileReference;
import bt.tablet.Compacted;
import bt.tablet.Frozen;
import bt.tablet.MinorCompaction;
import bt.tablet.Pace;
import bt.tablet.Tablet;
import bt.tablet.TabletContext;
import java.util.List;

/** Minor compactions that keep to no pace, so that nothing can interrupt them. */
public final class AtOnce {
    private AtOnce() {}

    /** Of a tablet's oldest frozen memtable. */
    public static Compacted write(Tablet tablet, Frozen frozen) throws BigtableException {
        try {
            return tablet.compactions().writeAlone(frozen, Pace.AT_ONCE);
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    public static List<FileReference> write(Frozen frozen, TabletContext context) throws BigtableException {
        try {
            return MinorCompaction.write(frozen, context, Pace.AT_ONCE);
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
