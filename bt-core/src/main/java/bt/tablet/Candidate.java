package bt.tablet;

import bt.base.Bytes;
import bt.base.Slice;
import bt.model.Cell;
import bt.model.ColumnKey;

/** The version that a read stands at, as the filters that were shown it so far have left it. One thread. */
final class Candidate {
    private static final Slice NO_VALUE = Slice.of(Bytes.EMPTY);

    private final VersionFilter version;
    private boolean stripped;
    private String label = "";

    Candidate(VersionFilter version) {
        this.version = version;
    }

    /** As it is stored. */
    Candidate begin() {
        stripped = false;
        label = "";
        return this;
    }

    Bytes row() {
        return version.row();
    }

    ColumnKey column() {
        return version.column();
    }

    long timestamp() {
        return version.timestamp();
    }

    /** Shown until the read's next move. */
    Slice value() {
        return stripped ? NO_VALUE : version.value();
    }

    boolean isStripped() {
        return stripped;
    }

    String label() {
        return label;
    }

    void set(boolean withoutValue, String newLabel) {
        stripped = withoutValue;
        label = newLabel;
    }

    /** It stays, and with it perhaps what its value lies in. */
    Cell cell() {
        return !stripped && label.isEmpty()
                ? version.cell()
                : new Cell(row(), column(), timestamp(), version.values().of(value()), label);
    }
}
