package bt.examples.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what was begun, the last first. */
final class Ending implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Ending.class);

    private final Deque<Runnable> begun = new ArrayDeque<>();

    void add(Runnable end) {
        begun.push(end);
    }

    /** A server that would halt its process: the bench sees what it can no longer do. */
    static void bug(String reason) {
        log.error("would halt: {}", reason);
    }

    @Override
    public void close() {
        while (!begun.isEmpty()) {
            begun.pop().run();
        }
    }
}
