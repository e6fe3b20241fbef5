package bt.doctor;

import bt.metadata.MetadataRow;
import bt.metadata.SeenRow;
import java.util.List;

/** The tablets that a row of METADATA stands for: its own. A change of two rows is looked at again until both are written. */
final class Expansion {
    private Expansion() {}

    /** A tablet that is there, and when its row was last changed. */
    record Living(MetadataRow row, long changedMicros) {}

    static List<Living> of(SeenRow seen) {
        return seen.row().stream()
                .map(row -> new Living(row, seen.changedMicros()))
                .toList();
    }
}
