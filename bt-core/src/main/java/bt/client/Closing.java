package bt.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What of a client has threads that end with it, unless they have ended before. Any thread. */
final class Closing {
    private final Set<Runnable> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** What is begun when the client has ended already ends at once. */
    void add(Runnable end) {
        open.add(end);
        if (closed) {
            // Perhaps a moment too late for closeAll to see it; to end twice is to end.
            end.run();
            open.remove(end);
        }
    }

    /** It has ended. */
    void remove(Runnable end) {
        open.remove(end);
    }

    void closeAll() {
        closed = true;
        open.forEach(Runnable::run);
        open.clear();
    }
}
