package bt.base;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.ref.WeakReference;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ids of the families that a file may hold: of most files of a table they are the same, METADATA names them once for each file,
 * and so does the file. Of those that are equal a process has one object, as long as anybody has it. Any thread.
 */
public final class SharedIds extends AbstractList<Integer> implements RandomAccess {
    private static final ReentrantLock LOCK = new ReentrantLock();

    @GuardedBy("LOCK") private static final Map<SharedIds, WeakReference<SharedIds>> KNOWN = new WeakHashMap<>();

    /** As objects: every read asks every file for them. */
    private final Integer[] ids;

    private final int hash;

    private SharedIds(Integer[] ids) {
        this.ids = ids;
        this.hash = super.hashCode();
    }

    /** An equal one that does not change. */
    public static List<Integer> of(List<Integer> ids) {
        return ids instanceof SharedIds ? ids : known(new SharedIds(ids.toArray(new Integer[0])));
    }

    private static SharedIds known(SharedIds made) {
        LOCK.lock();
        try {
            WeakReference<SharedIds> before = KNOWN.get(made);
            SharedIds known = before == null ? null : before.get();
            if (known == null) {
                KNOWN.put(made, new WeakReference<>(made));
                return made;
            }
            return known;
        } finally {
            LOCK.unlock();
        }
    }

    @Override
    public Integer get(int index) {
        return ids[index];
    }

    @Override
    public int size() {
        return ids.length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || super.equals(other);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
