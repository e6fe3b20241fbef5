package bt.tabletserver;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.record.FileReference;
import bt.tablet.Foreseen;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a tablet takes of a server's heap of which nobody asks anything, as docs/performance.md measures it: for what there
 * is of it, its row of METADATA, and a reader of each of its files.
 */
final class TabletBytes {
    /** Of a tablet beside its names and its files. */
    private static final int TABLET_BYTES = 3_400;

    /** Of the reader of a file, and of what METADATA says of that; the bytes of its index and filters are open files'. */
    private static final int FILE_BYTES = 5_000;

    /** Of a family that a file may have something of, until it is open and tells how much it keeps: by the most classes of age and the longest mark of a rule. */
    private static final int FAMILY_BYTES = 150;

    /** The same where a file has so few families, or fewer, that it keeps what is told of them as it was read. */
    private static final int FEW_FAMILIES = 8;

    private static final int EACH_OF_FEW_BYTES = 550;

    /** Of a tablet like most. */
    static final int LIKE_MOST = TABLET_BYTES + FILE_BYTES;

    /** Of an end row: in the tablet's name, in its range, and in what the master has been told. */
    private static final int NAMES = 4;

    /** Of that of the tablet before: in the range, and in the row of METADATA. */
    private static final int NAMES_BEFORE = 2;

    /** Of a row that bounds what is shown of a file: in METADATA's reference to it, and as its reader compares with it. */
    private static final int CLIPS = 2;

    private TabletBytes() {}

    /** All but what its files keep of families and keys. */
    static long of(MetadataRow row) {
        int name = row.id().endRow().map(Bytes::length).orElse(0);
        int nameBefore = length(row.state().getPreviousEndRow());
        long bytes = TABLET_BYTES + NAMES * (long) name + NAMES_BEFORE * (long) nameBefore;
        for (FileReference file : row.state().getFiles()) {
            bytes += FILE_BYTES + CLIPS * ((long) length(file.getClipStart()) + length(file.getClipEnd()));
        }
        return bytes;
    }

    /** What its files may keep of families, before they are open. */
    static long unopened(MetadataRow row) {
        return row.state().getFiles().stream()
                .mapToLong(file -> ofFamilies(file.getFamilies().size(), 1))
                .sum();
    }

    /** Of what a tablet's files are going to keep besides: each of one family at least. */
    static long of(Foreseen foreseen) {
        return FILE_BYTES * (long) foreseen.files()
                + ofFamilies(Math.max(foreseen.files(), foreseen.families()), foreseen.groups());
    }

    /** Of families in files of so many groups; how many are in which is not known. */
    private static long ofFamilies(int families, int groups) {
        long ofFew = Math.min(families, FEW_FAMILIES * (long) groups);
        return EACH_OF_FEW_BYTES * ofFew + FAMILY_BYTES * (families - ofFew);
    }

    private static int length(@Nullable ByteBuffer row) {
        return row == null ? 0 : row.remaining();
    }
}
