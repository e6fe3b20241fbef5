package bt.base;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What waits, by whom it is for. Each of them has a turn after the other, however much one has waiting, and each may have as
 * much waiting as there is room left: one alone half of it, two a third each, so that there is always some for another. Any
 * thread.
 */
public final class Turns<T> {
    private final ReentrantLock lock = new ReentrantLock();

    /** Whoever's turn it is comes first. */
    @GuardedBy("lock") private final Map<String, Line<T>> waiting = new LinkedHashMap<>();

    private final int max;

    @GuardedBy("lock") private int count;

    /** What one has waiting. */
    private static final class Line<T> {
        private final Deque<T> first = new ArrayDeque<>(1);
        private final Deque<T> others = new ArrayDeque<>();

        int size() {
            return first.size() + others.size();
        }

        boolean isEmpty() {
            return size() == 0;
        }

        T element() {
            return first.isEmpty() ? others.element() : first.element();
        }

        T remove() {
            return first.isEmpty() ? others.remove() : first.remove();
        }
    }

    /** What has its turn, and for whom. */
    public record Turn<T>(String whose, T item) {}

    /** With so many places. */
    public Turns(int max) {
        this.max = max;
    }

    /** False when it has so many waiting, or all have, that it is not taken. */
    public boolean add(String whose, T item) {
        lock.lock();
        try {
            Line<T> own = waiting.get(whose);
            int has = own == null ? 0 : own.size();
            if (has >= max - count) {
                return false;
            }
            count++;
            if (own == null) {
                own = new Line<>();
                waiting.put(whose, own);
            }
            own.others.add(item);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** It has waited elsewhere, where there is a bound to such: before all of its own that was not added so, and in any case. */
    public void addFirst(String whose, T item) {
        lock.lock();
        try {
            count++;
            waiting.computeIfAbsent(whose, unused -> new Line<>()).first.add(item);
        } finally {
            lock.unlock();
        }
    }

    /** The first of whoever's turn it is; empty where none waits. */
    public Optional<T> take() {
        return take(whose -> true).map(Turn::item);
    }

    /** The first of whoever's turn it is, where that may go now: it is waited for by all who come behind. */
    public Optional<T> takeIf(Predicate<T> mayGo) {
        lock.lock();
        try {
            boolean mayFirst = !waiting.isEmpty()
                    && mayGo.test(waiting.values().iterator().next().element());
            return mayFirst ? take() : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The first of whoever's turn it is, but for what is over: that takes up no turn, and is given to {@code told} instead, outside of
     * the lock.
     */
    public Optional<T> take(Predicate<T> isOver, Consumer<T> told) {
        dropOver(isOver).forEach(told);
        return take();
    }

    /** What is over and comes before the next that is not. */
    private List<T> dropOver(Predicate<T> isOver) {
        List<T> over = new ArrayList<>();
        lock.lock();
        try {
            Iterator<Line<T>> order = waiting.values().iterator();
            boolean isFound = false;
            while (!isFound && order.hasNext()) {
                Line<T> own = order.next();
                while (!own.isEmpty() && isOver.test(own.element())) {
                    over.add(own.remove());
                    count--;
                }
                isFound = !own.isEmpty();
                if (!isFound) {
                    order.remove();
                }
            }
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** The first of whoever's turn it is of those who may have one now: the others are passed over, and their turn stays. */
    public Optional<Turn<T>> take(Predicate<String> may) {
        lock.lock();
        try {
            Iterator<Map.Entry<String, Line<T>>> order = waiting.entrySet().iterator();
            while (order.hasNext()) {
                Map.Entry<String, Line<T>> next = order.next();
                String whose = next.getKey();
                if (may.test(whose)) {
                    Line<T> own = next.getValue();
                    order.remove();
                    T item = own.remove();
                    count--;
                    if (!own.isEmpty()) {
                        waiting.put(whose, own);
                    }
                    return Optional.of(new Turn<>(whose, item));
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether something of it waits. */
    public boolean hasWaiting(String whose) {
        lock.lock();
        try {
            return waiting.containsKey(whose);
        } finally {
            lock.unlock();
        }
    }

    /** Whether anything of others waits. */
    public boolean hasWaitingBeside(String whose) {
        lock.lock();
        try {
            return waiting.size() > (waiting.containsKey(whose) ? 1 : 0);
        } finally {
            lock.unlock();
        }
    }

    /** How many wait. */
    public int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }
}
