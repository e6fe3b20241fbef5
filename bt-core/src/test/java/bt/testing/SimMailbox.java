package bt.testing;

import static bt.base.Check.checkArgument;

import bt.base.Mailbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A mailbox whose owner waits by giving the baton away. */
final class SimMailbox<T> implements Mailbox<T> {
    private final SimBaton baton;
    private final int capacity;
    private final Deque<T> items = new ArrayDeque<>();
    private final List<SimWorker> waiting = new ArrayList<>();

    SimMailbox(SimBaton baton, int capacity) {
        checkArgument(capacity > 0, "a mailbox for %d items", capacity);
        this.baton = baton;
        this.capacity = capacity;
    }

    @Override
    public boolean offer(T item) {
        if (items.size() >= capacity) {
            return false;
        }
        items.addLast(item);
        List<SimWorker> woken = List.copyOf(waiting);
        waiting.clear();
        woken.forEach(baton::wake);
        return true;
    }

    @Override
    public int offerAll(List<? extends T> given, int max) {
        int taken = 0;
        while (taken < given.size() && items.size() < max && offer(given.get(taken))) {
            taken++;
        }
        return taken;
    }

    @Override
    public @Nullable T poll(long timeoutMillis) throws InterruptedException {
        baton.interruptibleYieldPoint();
        awaitUntil(1, baton.deadline(timeoutMillis));
        return items.pollFirst();
    }

    @Override
    public void awaitSize(int wanted, long timeoutMicros) throws InterruptedException {
        baton.interruptibleYieldPoint();
        awaitUntil(wanted, baton.nowNanos() + TimeUnit.MICROSECONDS.toNanos(timeoutMicros));
    }

    private void awaitUntil(int wanted, long deadline) throws InterruptedException {
        while (items.size() < wanted && deadline > baton.nowNanos()) {
            SimWorker me = SimWorker.current();
            waiting.add(me);
            try {
                baton.await("a mailbox", deadline - baton.nowNanos());
            } finally {
                waiting.remove(me);
            }
        }
    }

    @Override
    public int drainTo(Collection<? super T> target, int max) {
        int moved = 0;
        for (T item = null; moved < max && (item = items.pollFirst()) != null; moved++) {
            target.add(item);
        }
        return moved;
    }

    @Override
    public int size() {
        return items.size();
    }
}
