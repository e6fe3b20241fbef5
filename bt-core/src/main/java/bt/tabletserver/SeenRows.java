package bt.tabletserver;

import bt.base.Bytes;
import bt.base.Output;
import java.util.List;
import java.util.Optional;

/** Rows in order: those with a prefix, of which the tails are kept, and how many there were below and above these. */
record SeenRows(Bytes prefix, List<Bytes> tails, int below, int above) {
    static final SeenRows NONE = new SeenRows(Bytes.EMPTY, List.of(), 0, 0);

    SeenRows {
        tails = List.copyOf(tails);
    }

    int size() {
        return below + tails.size() + above;
    }

    /** The row there, if it is one with the prefix. */
    Optional<Bytes> at(int index) {
        int tail = index - below;
        return tail < 0 || tail >= tails.size()
                ? Optional.empty()
                : Optional.of(new Output(prefix.length() + tails.get(tail).length())
                        .raw(prefix)
                        .raw(tails.get(tail))
                        .toBytes());
    }

    /** Where the first row is that is not below. */
    int firstNotBelow(Bytes row) {
        if (!row.startsWith(prefix)) {
            return row.compareTo(prefix) < 0 ? below : below + tails.size();
        }
        Bytes wanted = row.slice(prefix.length(), row.length());
        int first = 0;
        while (first < tails.size() && tails.get(first).compareTo(wanted) < 0) {
            first++;
        }
        return below + first;
    }
}
