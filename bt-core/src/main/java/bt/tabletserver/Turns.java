package bt.tabletserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits, by whom it is for. Each of them has a turn after the other, however much one has waiting, and each may have as
 * much waiting as there is room left: one alone half of it, two a third each, so that there is always some for another. Any
 * thread.
 */
final class Turns {
    private final ReentrantLock lock = new ReentrantLock();

    /** Whoever's turn it is comes first. */
    @GuardedBy("lock") private final Map<String, Deque<Runnable>> waiting = new LinkedHashMap<>();

    private final int max;

    @GuardedBy("lock") private int count;

    Turns(int max) {
        this.max = max;
    }

    /** False when it has so many waiting, or all have, that it is not taken. */
    boolean add(String whose, Runnable work) {
        lock.lock();
        try {
            Deque<Runnable> own = waiting.get(whose);
            int has = own == null ? 0 : own.size();
            if (has >= max - count) {
                return false;
            }
            count++;
            if (own == null) {
                own = new ArrayDeque<>();
                waiting.put(whose, own);
            }
            own.add(work);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The first of whoever's turn it is. As often as something was added, no more. */
    Runnable take() {
        lock.lock();
        try {
            Iterator<Map.Entry<String, Deque<Runnable>>> order =
                    waiting.entrySet().iterator();
            Map.Entry<String, Deque<Runnable>> next = order.next();
            String whose = next.getKey();
            Deque<Runnable> own = next.getValue();
            order.remove();
            Runnable work = own.remove();
            count--;
            if (!own.isEmpty()) {
                waiting.put(whose, own);
            }
            return work;
        } finally {
            lock.unlock();
        }
    }
}
