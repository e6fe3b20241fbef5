package bt.thrift.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What the gateway and libthrift write to the log, at WARN and above; a stack trace counts as a line of its own. */
final class LogLines extends AppenderSkeleton implements AutoCloseable {
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("bt.thrift"), Logger.getLogger("org.apache.thrift"));

    private final List<String> lines = new CopyOnWriteArrayList<>();

    private LogLines() {}

    static LogLines record() {
        LogLines recorded = new LogLines();
        LOGGERS.forEach(logger -> {
            // Tests of healthy things want errors alone.
            logger.setLevel(Level.WARN);
            logger.addAppender(recorded);
        });
        return recorded;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    protected void append(LoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            lines.add(event.getRenderedMessage());
            if (event.getThrowableInformation() != null) {
                lines.add(String.join("\n", event.getThrowableStrRep()));
            }
        }
    }

    @Override
    public void close() {
        // Else it would be closed again when it is garbage, and take the level from whoever records by then.
        closed = true;
        LOGGERS.forEach(logger -> {
            logger.removeAppender(this);
            logger.setLevel(null);
        });
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }
}
