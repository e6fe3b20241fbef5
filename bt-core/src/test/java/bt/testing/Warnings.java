package bt.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What a class writes to the log, at WARN and above. */
public final class Warnings extends AppenderSkeleton implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    private Warnings(Logger logger) {
        this.logger = logger;
    }

    /** From now on. */
    public static Warnings of(Class<?> logging) {
        Warnings recorded = new Warnings(Logger.getLogger(logging));
        // Tests of healthy things want errors alone.
        recorded.logger.setLevel(Level.WARN);
        recorded.logger.addAppender(recorded);
        return recorded;
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    protected void append(LoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            lines.add(event.getRenderedMessage());
        }
    }

    @Override
    public void close() {
        // Else it would be closed again when it is garbage, and take the level from whoever records by then.
        closed = true;
        logger.removeAppender(this);
        logger.setLevel(null);
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }
}
