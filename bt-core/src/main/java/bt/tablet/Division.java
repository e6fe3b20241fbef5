package bt.tablet;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.RowRange;
import bt.record.FileReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of a tablet that is divided behind a row: what each half refers to. A file is clipped and not copied, and a
 * half in which none of its rows lie does not refer to it. Each half counts the bytes that it shows.
 */
final class Division {
    private final RowRange lower;
    private final RowRange upper;
    private final Bytes row;
    private final List<TabletFile> lowerFiles = new ArrayList<>();
    private final List<TabletFile> upperFiles = new ArrayList<>();

    private Division(RowRange range, Bytes row) {
        this.row = row;
        lower = new RowRange(range.start(), Optional.of(row.successor()));
        upper = new RowRange(row.successor(), range.end());
    }

    /** The halves use the files; the tablet has to hold them open meanwhile. */
    static Division of(RowRange range, Bytes row, List<TabletFile> files) throws BigtableException {
        Division division = new Division(range, row);
        try {
            for (TabletFile file : files) {
                division.divide(file);
            }
            return division;
        } catch (BigtableException | RuntimeException failed) {
            division.lowerFiles.forEach(TabletFile::release);
            division.upperFiles.forEach(TabletFile::release);
            throw failed;
        }
    }

    RowRange lower() {
        return lower;
    }

    RowRange upper() {
        return upper;
    }

    List<TabletFile> lowerFiles() {
        return lowerFiles;
    }

    List<TabletFile> upperFiles() {
        return upperFiles;
    }

    private void divide(TabletFile file) throws BigtableException {
        FileReference whole = file.reference();
        if (!file.reaches(upper)) {
            lowerFiles.add(file.as(whole));
        } else if (!file.reaches(lower)) {
            upperFiles.add(file.as(whole));
        } else {
            RowWeights weights = file.weights();
            long below = weights.total() == 0
                    ? whole.getBytes() / 2
                    : (long) ((double) whole.getBytes() * weights.upTo(row) / weights.total());
            lowerFiles.add(file.as(FileReference.newBuilder(whole)
                    .setClipEnd(AvroBytes.buffer(row.successor()))
                    .setBytes(below)
                    .build()));
            upperFiles.add(file.as(FileReference.newBuilder(whole)
                    .setClipStart(AvroBytes.buffer(row.successor()))
                    .setBytes(whole.getBytes() - below)
                    .build()));
        }
    }
}
