package bt.tablet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a memtable holds of each family. One thread adds, any thread asks. */
final class FamilyCounts {
    /** Few: searched from the last one found. */
    private volatile Count[] counts = {};

    private int last;

    void add(int family, long bytes) {
        Count[] all = counts;
        if (all.length == 0 || all[last].family != family) {
            all = found(family);
        }
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

        Count(int family) {
            this.family = family;
        }
    }
}
