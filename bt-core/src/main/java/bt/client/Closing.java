package bt.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What of a client has threads that end with it, unless they have ended before. Any thread. */
final class Closing {
    private final Set<Runnable> open = ConcurrentHashMap.newKeySet();

    void add(Runnable end) {
        open.add(end);
    }

    /** It has ended. */
    void remove(Runnable end) {
        open.remove(end);
    }

    void closeAll() {
        open.forEach(Runnable::run);
        open.clear();
    }
}
