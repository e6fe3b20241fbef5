package bt.tablet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a memtable holds of each family, and since when. One thread adds, any thread asks. */
final class FamilyCounts {
    /** From the front on, as many as {@code size} says; that is written last and read first. */
    private volatile Count[] counts = {};

    private volatile int size;

    /** The writer's: where each family is, and the one that was found last. */
    private final Map<Integer, Integer> places = new HashMap<>(0);

    private int last;

    /** What kind of change one is, as far as its time matters. */
    enum Change {
        DELETION,
        PUT,
        /** With a timestamp that the server did not give. */
        TIMED_PUT
    }

    void add(int family, long bytes, Change change, long micros) {
        Count[] all = counts;
        if (size == 0 || all[last].family != family) {
            all = found(family);
        }
        all[last].note(change, micros);
        // One writer: no need for the lock that an addition would take.
        all[last].cells.lazySet(all[last].cells.getPlain() + 1);
        all[last].bytes.lazySet(all[last].bytes.getPlain() + bytes);
    }

    List<FamilySize> sizes() {
        List<FamilySize> sizes = new ArrayList<>();
        for (Count count : counted()) {
            sizes.add(new FamilySize(count.family, count.cells.get(), count.bytes.get()));
        }
        return sizes;
    }

    List<ChangeTimes> times() {
        List<ChangeTimes> times = new ArrayList<>();
        for (Count count : counted()) {
            times.add(new ChangeTimes(
                    count.family, count.deletionMicros.get(), count.putMicros.get(), count.timedPutMicros.get()));
        }
        return times;
    }

    private List<Count> counted() {
        int known = size;
        return Arrays.asList(counts).subList(0, known);
    }

    private Count[] found(int family) {
        Count[] all = counts;
        Integer place = places.get(family);
        if (place != null) {
            last = place;
            return all;
        }
        last = places.size();
        if (last == all.length) {
            all = Arrays.copyOf(all, Math.max(1, 2 * last));
            counts = all;
        }
        all[last] = new Count(family);
        places.put(family, last);
        size = places.size();
        return all;
    }

    private static final class Count {
        final int family;
        final AtomicLong cells = new AtomicLong();
        final AtomicLong bytes = new AtomicLong();
        final AtomicLong deletionMicros = new AtomicLong();
        final AtomicLong putMicros = new AtomicLong();
        final AtomicLong timedPutMicros = new AtomicLong();

        Count(int family) {
            this.family = family;
        }

        void note(Change change, long micros) {
            switch (change) {
                case DELETION -> earliest(deletionMicros, micros);
                case PUT -> earliest(putMicros, micros);
                case TIMED_PUT -> {
                    earliest(putMicros, micros);
                    earliest(timedPutMicros, micros);
                }
            }
        }

        private static void earliest(AtomicLong known, long micros) {
            long earlier = known.getPlain();
            if (earlier == 0 || micros < earlier) {
                known.lazySet(micros);
            }
        }
    }
}
