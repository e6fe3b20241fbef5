package bt.tabletserver;

import bt.base.Bytes;
import bt.model.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Rows that are taken within a few seconds: as many as there is room for. Any thread. */
final class SampleWindow {
    static final int SAMPLES = 256;

    /** Of each row, behind what all are thought to begin with: enough to split at. */
    private static final int ROW_BYTES = 128;

    private final Bytes prefix;
    private final AtomicReferenceArray<Bytes> tails = new AtomicReferenceArray<>(SAMPLES);
    private final AtomicInteger taken = new AtomicInteger();

    /** Rows that do not begin so. */
    private final AtomicInteger below = new AtomicInteger();

    private final AtomicInteger above = new AtomicInteger();

    /** With which the others are compared. */
    private final AtomicReference<Bytes> first = new AtomicReference<>();

    private final AtomicInteger sharedLength = new AtomicInteger(Integer.MAX_VALUE);

    /** Rows mostly begin with the prefix. */
    SampleWindow(Bytes prefix) {
        this.prefix = prefix;
    }

    boolean hasRoom() {
        return taken.get() < SAMPLES;
    }

    void take(Bytes row) {
        if (row.length() > Limits.ROW_BYTES) {
            // It is counted before it is refused.
            return;
        }
        int at = hasRoom() ? taken.getAndIncrement() : SAMPLES;
        if (at >= SAMPLES) {
            return;
        }
        compare(row);
        if (row.startsWith(prefix)) {
            tails.set(at, copy(row, prefix.length(), Math.min(row.length(), prefix.length() + ROW_BYTES)));
        } else {
            (row.compareTo(prefix) < 0 ? below : above).incrementAndGet();
        }
    }

    private void compare(Bytes row) {
        if (first.get() == null) {
            // Whole: what all begin with may be as long as it.
            first.compareAndSet(null, copy(row, 0, row.length()));
        }
        Bytes other = first.get();
        if (other != null) {
            sharedLength.accumulateAndGet(row.sharedLength(other), Math::min);
        }
    }

    /** The row may lie in the whole frame that it came in. */
    private static Bytes copy(Bytes row, int from, int to) {
        return Bytes.wrap(row.slice(from, to).toArray());
    }

    /** What all rows have begun with. */
    Bytes shared() {
        Bytes row = first.get();
        return row == null ? prefix : row.slice(0, Math.min(row.length(), sharedLength.get()));
    }

    SeenRows seen() {
        List<Bytes> seen = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            Bytes tail = tails.get(i);
            if (tail != null) {
                seen.add(tail);
            }
        }
        seen.sort(null);
        return new SeenRows(prefix, seen, below.get(), above.get());
    }
}
