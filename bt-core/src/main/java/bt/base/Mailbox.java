package bt.base;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A bounded queue with one owner that takes and many that give. */
public interface Mailbox<T> {
    /** False when full: the caller answers OVERLOADED. */
    boolean offer(T item);

    /** Waits for the next; null when the time is over. */
    @Nullable T poll(long timeoutMillis) throws InterruptedException;

    /** Takes what is there, at most {@code max}, without waiting. */
    int drainTo(Collection<? super T> target, int max);

    int size();
}
