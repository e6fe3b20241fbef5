package bt.tabletserver;

import bt.base.HostCounts;
import bt.base.Turns;
import bt.base.Turns.Turn;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads that wait, in {@link Turns} of the hosts that they are for, and how many of each are under way. A read may take long, so it is
 * with threads as with places: who has as many under way as are left free waits, and another begins at once. What the server wants to
 * know of itself waits for none of them. Any thread.
 */
final class ReadTurns {
    /** The server itself: beside what all others have under way it may have one. */
    static final String OWN = "";

    private final Turns<Runnable> waiting;
    private final int maxUnderWay;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final HostCounts underWay = new HostCounts();

    ReadTurns(int maxWaiting, int maxUnderWay) {
        this.waiting = new Turns<>(maxWaiting);
        this.maxUnderWay = maxUnderWay;
    }

    /** False when it has so many waiting, or all have, that it is not taken. */
    boolean add(String whose, Runnable work) {
        return waiting.add(whose, work);
    }

    /** What has waited for its room, and has it: before all others of its host. */
    void addFirst(String whose, Runnable work) {
        waiting.addFirst(whose, work);
    }

    /** The first of whoever's turn it is and may have one more under way: that it has, until it is {@link #end ended}. */
    Optional<Turn<Runnable>> begin() {
        lock.lock();
        try {
            if (othersUnderWay() == maxUnderWay && !waiting.hasWaiting(OWN)) {
                return Optional.empty();
            }
            // Passes over no more of them than there are threads: who has nothing under way may begin if anybody may.
            Optional<Turn<Runnable>> turn = waiting.take(this::mayBegin);
            if (turn.isPresent()) {
                underWay.add(turn.get().whose(), 1);
            }
            return turn;
        } finally {
            lock.unlock();
        }
    }

    /** What has begun is done: others may begin. */
    void end(Turn<Runnable> turn) {
        lock.lock();
        try {
            underWay.add(turn.whose(), -1);
        } finally {
            lock.unlock();
        }
    }

    /** Beside the server itself. */
    boolean isAnyWaiting() {
        return waiting.hasWaitingBeside(OWN);
    }

    @SuppressWarnings("GuardedBy") // It is asked while begin holds the lock.
    private boolean mayBegin(String whose) {
        int own = underWay.of(whose);
        return whose.equals(OWN) ? own == 0 : own < maxUnderWay - othersUnderWay();
    }

    /** Without the server's own. */
    @GuardedBy("lock") private int othersUnderWay() {
        return underWay.all() - underWay.of(OWN);
    }
}
