package bt.base;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bounded queue with one owner that takes and many that give. */
public interface Mailbox<T> {
    /** False when full: the caller answers OVERLOADED. */
    boolean offer(T item);

    /** Gives them in turn, up to the first that would be one more than {@code max} in here, or than fits; how many it took. */
    int offerAll(List<? extends T> items, int max);

    /** Waits for the next; null when the time is over. */
    @Nullable T poll(long timeoutMillis) throws InterruptedException;

    /** Waits until so many are there, or the time is over. Only the owner, who is woken once. */
    void awaitSize(int items, long timeoutMicros) throws InterruptedException;

    /** Takes what is there, at most {@code max}, without waiting. */
    int drainTo(Collection<? super T> target, int max);

    int size();
}
