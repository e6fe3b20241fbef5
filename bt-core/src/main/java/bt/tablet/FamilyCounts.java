package bt.tablet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what a memtable holds of each family, and since when. One thread adds, any thread asks. */
final class FamilyCounts {
    /** To go through so many is as fast as to look one up, and most memtables have no more. */
    private static final int FEW = 8;

    /** Of the heap: its object, and its place among all, of which a half may be free. */
    private static final int EACH_BYTES = 80;

    /** Where there are more than few, it is looked up. */
    private static final int EACH_OF_MANY_BYTES = EACH_BYTES + 80;

    private static final Count[] NO_COUNTS = {};
    private static final Count NONE = new Count(Integer.MIN_VALUE);

    /** From the front on, as many as {@code size} says; that is written last and read first. */
    private volatile Count[] counts = NO_COUNTS;

    private volatile int size;

    /** The writer's: those of many, by family. */
    private Map<Integer, Count> byFamily = Map.of();

    /** The writer's: that which was found last. */
    private Count last = NONE;

    /** What kind of change one is, as far as its time matters. */
    enum Change {
        DELETION,
        PUT,
        /** With a timestamp that the server did not give. */
        TIMED_PUT
    }

    void add(int family, long bytes, Change change, long micros) {
        if (last.family != family) {
            last = found(family);
        }
        last.add(bytes, change, micros);
    }

    /** What it holds of the heap. */
    long bytes() {
        int known = size;
        return (long) known * (known > FEW ? EACH_OF_MANY_BYTES : EACH_BYTES);
    }

    /** How many have changes. */
    int size() {
        return size;
    }

    /** The one that got its first change as the so-manieth, from 0 on; below {@link #size} as somebody was told it. */
    int family(int number) {
        return counts[number].family;
    }

    /** Whether it has changes. The writer alone. */
    boolean has(int family) {
        return known(family) != null;
    }

    List<FamilySize> sizes() {
        List<FamilySize> sizes = new ArrayList<>();
        for (Count count : counted()) {
            sizes.add(count.size());
        }
        return sizes;
    }

    List<ChangeTimes> times() {
        List<ChangeTimes> times = new ArrayList<>();
        for (Count count : counted()) {
            times.add(count.times());
        }
        return times;
    }

    private List<Count> counted() {
        int known = size;
        return Arrays.asList(counts).subList(0, known);
    }

    private Count found(int family) {
        Count there = known(family);
        return there != null ? there : added(family);
    }

    private @Nullable Count known(int family) {
        Count[] all = counts;
        int known = size;
        if (known > FEW) {
            return byFamily.get(family);
        }
        for (int i = 0; i < known; i++) {
            if (all[i].family == family) {
                return all[i];
            }
        }
        return null;
    }

    private Count added(int family) {
        Count[] all = counts;
        int known = size;
        if (known == all.length) {
            all = Arrays.copyOf(all, Math.max(1, 2 * known));
            counts = all;
        }
        Count count = new Count(family);
        all[known] = count;
        if (known == FEW) {
            byFamily = new HashMap<>();
            for (int i = 0; i < known; i++) {
                byFamily.put(all[i].family, all[i]);
            }
        }
        if (known >= FEW) {
            byFamily.put(family, count);
        }
        size = known + 1;
        return count;
    }

    /** Numbers in the object itself: there is one for each family of each tablet that is written to. */
    private static final class Count {
        private static final VarHandle CELLS = handle("cells");
        private static final VarHandle BYTES = handle("bytes");
        private static final VarHandle DELETION_MICROS = handle("deletionMicros");
        private static final VarHandle PUT_MICROS = handle("putMicros");
        private static final VarHandle TIMED_PUT_MICROS = handle("timedPutMicros");

        final int family;
        private long cells;
        private long bytes;
        private long deletionMicros;
        private long putMicros;
        private long timedPutMicros;

        Count(int family) {
            this.family = family;
        }

        private static VarHandle handle(String field) {
            try {
                return MethodHandles.lookup().findVarHandle(Count.class, field, long.class);
            } catch (ReflectiveOperationException impossible) {
                throw new LinkageError(field, impossible);
            }
        }

        void add(long more, Change change, long micros) {
            switch (change) {
                case DELETION -> earliest(DELETION_MICROS, deletionMicros, micros);
                case PUT -> earliest(PUT_MICROS, putMicros, micros);
                case TIMED_PUT -> {
                    earliest(PUT_MICROS, putMicros, micros);
                    earliest(TIMED_PUT_MICROS, timedPutMicros, micros);
                }
            }
            // One writer: no need for the lock that an addition would take.
            CELLS.setRelease(this, cells + 1);
            BYTES.setRelease(this, bytes + more);
        }

        private void earliest(VarHandle field, long known, long micros) {
            if (known == 0 || micros < known) {
                field.setRelease(this, micros);
            }
        }

        FamilySize size() {
            return new FamilySize(family, (long) CELLS.getAcquire(this), (long) BYTES.getAcquire(this));
        }

        ChangeTimes times() {
            return new ChangeTimes(
                    family, (long) DELETION_MICROS.getAcquire(this), (long) PUT_MICROS.getAcquire(this), (long)
                            TIMED_PUT_MICROS.getAcquire(this));
        }
    }
}
