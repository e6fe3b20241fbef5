package bt.examples.demo;

import bt.base.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The rows at which the table is split when it is made. */
final class Splits {
    private Splits() {}

    /** The last rows of all tablets but the last, for so many tablets with equally many of these rows each, given in order. */
    static List<Bytes> of(Collection<String> rows, int tablets) {
        List<String> ordered = List.copyOf(rows);
        List<Bytes> splits = new ArrayList<>();
        int most = Math.min(tablets, ordered.size());
        for (int i = 1; i < most; i++) {
            splits.add(Bytes.utf8(ordered.get((int) ((long) ordered.size() * i / most) - 1)));
        }
        return splits;
    }
}
