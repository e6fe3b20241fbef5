package bt.base;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A mailbox between threads. Its lock is taken once for as many items as are given, or taken out, together. */
final class ThreadMailbox<T> implements Mailbox<T> {
    private static final int NOBODY_WAITS = Integer.MAX_VALUE;

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition enough = lock.newCondition();

    @GuardedBy("lock") private final Deque<T> items = new ArrayDeque<>();

    /** How many the owner waits for. */
    @GuardedBy("lock") private int awaited = NOBODY_WAITS;

    ThreadMailbox(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public boolean offer(T item) {
        lock.lock();
        try {
            if (items.size() >= capacity) {
                return false;
            }
            items.addLast(item);
            wakeOwner();
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int offerAll(List<? extends T> given, int max) {
        lock.lock();
        try {
            int room = Math.max(0, Math.min(max, capacity) - items.size());
            int taken = Math.min(room, given.size());
            items.addAll(given.subList(0, taken));
            wakeOwner();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void wakeOwner() {
        if (items.size() >= awaited) {
            enough.signal();
        }
    }

    @Override
    public @Nullable T poll(long timeoutMillis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            await(1, TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
            return items.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void awaitSize(int wanted, long timeoutMicros) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            await(wanted, TimeUnit.MICROSECONDS.toNanos(timeoutMicros));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void await(int wanted, long timeoutNanos) throws InterruptedException {
        awaited = wanted;
        try {
            long left = timeoutNanos;
            while (left > 0 && items.size() < wanted) {
                left = enough.awaitNanos(left);
            }
        } finally {
            awaited = NOBODY_WAITS;
        }
    }

    @Override
    public int drainTo(Collection<? super T> target, int max) {
        lock.lock();
        try {
            int moved = Math.min(max, items.size());
            for (int i = 0; i < moved; i++) {
                target.add(items.removeFirst());
            }
            return moved;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int size() {
        lock.lock();
        try {
            return items.size();
        } finally {
            lock.unlock();
        }
    }
}
