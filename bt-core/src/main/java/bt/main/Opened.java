package bt.main;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, to be closed in the opposite order. One thread at a time. */
final class Opened implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Opened.class);

    private final Deque<AutoCloseable> things = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T thing) {
        things.push(thing);
        return thing;
    }

    /** Closes all; what cannot be closed is no reason to leave the others open. */
    @Override
    public void close() {
        while (!things.isEmpty()) {
            AutoCloseable thing = things.pop();
            try {
                thing.close();
            } catch (Exception failed) {
                log.warn("{}: {}", thing.getClass().getSimpleName(), failed.toString());
            }
        }
    }
}
