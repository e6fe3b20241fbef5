package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import java.util.Arrays;

/**
 * How many versions hold a place, at each moment of a column's history: a step function over sequences, to which spans are
 * added one by one. Each addition and each question takes steps in the logarithm of their number: a column may have had a
 * hundred thousand versions that were deleted again. A treap whose nodes are the steps, in order, in a few arrays. One
 * thread.
 */
final class Places {
    private static final int NONE = -1;

    /** Of more steps the arrays are not kept for the next column. */
    private static final int MAX_KEPT = 1 << 10;

    private static final int FIRST_SIZE = 8;

    /** Where a step begins; it ends where the next one begins. */
    private long[] begins = new long[FIRST_SIZE];

    /** How many hold a place in the step, without what its ancestors have to add. */
    private int[] taken = new int[FIRST_SIZE];

    /** The most in any step below it and in itself, likewise. */
    private int[] most = new int[FIRST_SIZE];

    /** What has yet to be added to all below it. */
    private int[] pending = new int[FIRST_SIZE];

    private int[] left = new int[FIRST_SIZE];
    private int[] right = new int[FIRST_SIZE];
    private int[] priority = new int[FIRST_SIZE];
    private int size;
    private int root = NONE;
    private int random = 0x2545f491;

    /** The two halves that {@link #split} made. */
    private int low = NONE;

    private int high = NONE;

    /** Nobody holds a place any more. */
    void clear() {
        size = 0;
        root = NONE;
        if (begins.length > MAX_KEPT) {
            resize(FIRST_SIZE);
        }
    }

    /** One more holds a place from {@code from}, included, to {@code to}, excluded; {@link Deletions#NEVER} is no end. */
    void take(long from, long to) {
        if (from >= to) {
            return;
        }
        breakAt(from);
        if (to != Deletions.NEVER) {
            breakAt(to);
        }
        split(root, from);
        int before = low;
        split(high, to);
        int after = high;
        add(low, 1);
        root = merge(merge(before, low), after);
    }

    /** The most that hold a place at any one moment from {@code from}, included, to {@code to}, excluded. */
    int mostWithin(long from, long to) {
        if (from >= to) {
            return 0;
        }
        int found = takenAt(from);
        split(root, from);
        int before = low;
        split(high, to);
        int after = high;
        if (low != NONE) {
            found = Math.max(found, most[low]);
        }
        root = merge(merge(before, low), after);
        return found;
    }

    /** What {@link #restore} needs: the steps at which the number changes. */
    void save(Output out) {
        handDownAll(root);
        out.varint(changes(root, 0));
        saveChanges(root, 0, -1, out);
    }

    private void handDownAll(int node) {
        if (node != NONE) {
            handDown(node);
            handDownAll(left[node]);
            handDownAll(right[node]);
        }
    }

    /** How many of the steps have another number than the one before them, of which the first has {@code before}. */
    private int changes(int node, int before) {
        if (node == NONE) {
            return 0;
        }
        int here = taken[node] == lastTaken(left[node], before) ? 0 : 1;
        return changes(left[node], before) + here + changes(right[node], taken[node]);
    }

    /**
     * As differences, which are two or three bytes a step where both numbers may be of many: a column of ten thousand versions
     * fits a page's end. Returns the last step that was written, {@code last} if none was.
     */
    private long saveChanges(int node, int before, long last, Output out) {
        if (node == NONE) {
            return last;
        }
        long written = saveChanges(left[node], before, last, out);
        int takenBefore = lastTaken(left[node], before);
        if (taken[node] != takenBefore) {
            out.varint(begins[node] - written - 1).signedVarint((long) taken[node] - takenBefore);
            written = begins[node];
        }
        return saveChanges(right[node], taken[node], written, out);
    }

    private int lastTaken(int of, int otherwise) {
        int last = otherwise;
        for (int node = of; node != NONE; node = right[node]) {
            last = taken[node];
        }
        return last;
    }

    /** Goes on as another did that was saved. */
    void restore(Input in) throws CorruptionException {
        clear();
        long last = -1;
        long places = 0;
        for (int count = in.length("steps", in.remaining()); count > 0; count--) {
            long sequence = last + 1 + in.varint("step");
            places += in.signedVarint("places taken");
            if (sequence <= last || places < 0 || places > Integer.MAX_VALUE) {
                throw in.corrupt("step " + sequence + " after " + last + ", with " + places + " places");
            }
            last = sequence;
            root = merge(root, newStep(sequence, (int) places));
        }
    }

    private int takenAt(long sequence) {
        int found = 0;
        int added = 0;
        int node = root;
        while (node != NONE) {
            if (begins[node] <= sequence) {
                found = taken[node] + added;
                added += pending[node];
                node = right[node];
            } else {
                added += pending[node];
                node = left[node];
            }
        }
        return found;
    }

    /** Makes a step begin here, with as many as before. */
    private void breakAt(long sequence) {
        int here = takenAt(sequence);
        split(root, sequence);
        int before = low;
        int after = high;
        if (after == NONE || first(after) != sequence) {
            after = merge(newStep(sequence, here), after);
        }
        root = merge(before, after);
    }

    private long first(int of) {
        int node = of;
        while (left[node] != NONE) {
            node = left[node];
        }
        return begins[node];
    }

    private int newStep(long sequence, int here) {
        if (size == begins.length) {
            resize(2 * size);
        }
        begins[size] = sequence;
        taken[size] = here;
        most[size] = here;
        pending[size] = 0;
        left[size] = NONE;
        right[size] = NONE;
        // Any sequence will do, so it is a fixed one.
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        priority[size] = random;
        return size++;
    }

    private void resize(int length) {
        begins = Arrays.copyOf(begins, length);
        taken = Arrays.copyOf(taken, length);
        most = Arrays.copyOf(most, length);
        pending = Arrays.copyOf(pending, length);
        left = Arrays.copyOf(left, length);
        right = Arrays.copyOf(right, length);
        priority = Arrays.copyOf(priority, length);
    }

    private void add(int node, int more) {
        if (node != NONE) {
            taken[node] += more;
            most[node] += more;
            pending[node] += more;
        }
    }

    private void handDown(int node) {
        if (pending[node] != 0) {
            add(left[node], pending[node]);
            add(right[node], pending[node]);
            pending[node] = 0;
        }
    }

    private void gather(int node) {
        int found = taken[node];
        if (left[node] != NONE) {
            found = Math.max(found, most[left[node]]);
        }
        if (right[node] != NONE) {
            found = Math.max(found, most[right[node]]);
        }
        most[node] = found;
    }

    /** Into the steps that begin before the sequence and the others. Depth is logarithmic, as far as chance goes. */
    private void split(int node, long sequence) {
        if (node == NONE) {
            low = NONE;
            high = NONE;
            return;
        }
        handDown(node);
        if (begins[node] < sequence) {
            split(right[node], sequence);
            right[node] = low;
            gather(node);
            low = node;
        } else {
            split(left[node], sequence);
            left[node] = high;
            gather(node);
            high = node;
        }
    }

    private int merge(int before, int after) {
        if (before == NONE || after == NONE) {
            return before == NONE ? after : before;
        }
        if (priority[before] > priority[after]) {
            handDown(before);
            right[before] = merge(right[before], after);
            gather(before);
            return before;
        }
        handDown(after);
        left[after] = merge(before, left[after]);
        gather(after);
        return after;
    }
}
