package bt.tablet;

import static bt.base.Check.checkState;

import java.util.concurrent.atomic.AtomicReference;

/** The one thread that may change something: the first that comes, until it passes its ownership on. */
final class OwnerThread {
    private final AtomicReference<Thread> owner = new AtomicReference<>();

    void assertCurrent() {
        Thread current = Thread.currentThread();
        boolean mine = owner.get() == current || owner.compareAndSet(null, current);
        checkState(mine, "%s belongs to another thread than %s", owner, current);
    }

    /** Whoever comes next owns it, and sees all that was done until now. */
    void passOn() {
        assertCurrent();
        owner.set(null);
    }
}
