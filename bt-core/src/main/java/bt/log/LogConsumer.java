package bt.log;

import bt.base.BigtableException;

/** Takes the records of a log in their order. What it throws ends the reading. */
@FunctionalInterface
public interface LogConsumer {
    void accept(LogRecord entry) throws BigtableException;
}
