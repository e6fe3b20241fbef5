package bt.doctor;

import bt.base.CorruptionException;
import bt.metadata.MetadataRow;
import bt.metadata.SeenRow;
import java.util.List;

/** What a row of METADATA stands for: its tablet, and every one whose own row is still to be written. */
final class Expansion {
    private Expansion() {}

    /** A tablet that is there, and when its row was last changed. */
    record Living(MetadataRow row, long changedMicros) {}

    /** In the order of their keys. */
    static List<Living> of(SeenRow seen) throws CorruptionException {
        return seen.row().stream()
                .map(row -> new Living(row, seen.changedMicros()))
                .toList();
    }
}
