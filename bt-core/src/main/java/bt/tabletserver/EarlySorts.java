package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.log.LogStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts the closed segments of a dead server's log while the master still takes the open ones from it, which the file store
 * needs seconds for. Nothing depends on it: whoever loads a tablet sorts what is not sorted by then. Any thread.
 */
final class EarlySorts {
    private static final Logger log = LoggerFactory.getLogger(EarlySorts.class);

    /** Between two looks at a log: each asks the file store, as every server does, what has been closed meanwhile. */
    private static final long REST_NANOS = 2_000_000_000L;

    private final SegmentSorts sorts;
    private final Executor sorter;
    private final Clock clock;

    /** The logs that are being looked at here. */
    private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

    /** When the latest look ended at each log that the master still names. */
    private final Map<Long, Long> looked = new ConcurrentHashMap<>();

    /** {@code sorter} has one thread. */
    EarlySorts(SegmentSorts sorts, Executor sorter, Clock clock) {
        this.sorts = sorts;
        this.sorter = sorter;
        this.clock = clock;
    }

    /** The master says so with each look, for as long as it lasts: what has been closed meanwhile is found then. */
    void begin(List<Long> epochs) {
        looked.keySet().retainAll(epochs);
        for (long epoch : epochs) {
            if (isDue(epoch) && underWay.add(epoch)) {
                try {
                    sorter.execute(() -> run(epoch));
                } catch (RejectedExecutionException full) {
                    underWay.remove(epoch);
                }
            }
        }
    }

    private boolean isDue(long epoch) {
        Long last = looked.get(epoch);
        return last == null || clock.nanos() - last >= REST_NANOS;
    }

    private void run(long epoch) {
        try {
            sorts.sortClosed(new LogStream(LogStream.RECOVERED, epoch, LogStream.USER));
        } catch (BigtableException notNow) {
            log.debug("log of epoch {}: {}", epoch, notNow.getMessage());
        } finally {
            looked.put(epoch, clock.nanos());
            underWay.remove(epoch);
        }
    }
}
