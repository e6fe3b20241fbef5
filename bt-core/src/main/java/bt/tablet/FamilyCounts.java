package bt.tablet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a memtable holds of each family, and since when. One thread adds, any thread asks. */
final class FamilyCounts {
    /** Few: searched from the last one found. */
    private volatile Count[] counts = {};

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
        if (all.length == 0 || all[last].family != family) {
            all = found(family);
        }
        all[last].note(change, micros);
        // One writer: no need for the lock that an addition would take.
        all[last].cells.lazySet(all[last].cells.getPlain() + 1);
        all[last].bytes.lazySet(all[last].bytes.getPlain() + bytes);
    }

    List<FamilySize> sizes() {
        List<FamilySize> sizes = new ArrayList<>();
        for (Count count : counts) {
            sizes.add(new FamilySize(count.family, count.cells.get(), count.bytes.get()));
        }
        return sizes;
    }

    List<ChangeTimes> times() {
        List<ChangeTimes> times = new ArrayList<>();
        for (Count count : counts) {
            times.add(new ChangeTimes(
                    count.family, count.deletionMicros.get(), count.putMicros.get(), count.timedPutMicros.get()));
        }
        return times;
    }

    private Count[] found(int family) {
        Count[] all = counts;
        for (int i = 0; i < all.length; i++) {
            if (all[i].family == family) {
                last = i;
                return all;
            }
        }
        last = all.length;
        Count[] more = Arrays.copyOf(all, last + 1);
        more[last] = new Count(family);
        counts = more;
        return more;
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
