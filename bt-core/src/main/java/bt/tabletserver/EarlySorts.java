package bt.tabletserver;

import bt.base.BigtableException;
import bt.log.LogStream;
import java.util.List;
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

    private final SegmentSorts sorts;
    private final Executor sorters;

    /** The logs that are being looked at here. */
    private final Set<Long> underWay = ConcurrentHashMap.newKeySet();

    EarlySorts(SegmentSorts sorts, Executor sorters) {
        this.sorts = sorts;
        this.sorters = sorters;
    }

    /** The master says so with each look, for as long as it lasts: what has been closed meanwhile is found then. */
    void begin(List<Long> epochs) {
        for (long epoch : epochs) {
            if (underWay.add(epoch)) {
                try {
                    sorters.execute(() -> run(epoch));
                } catch (RejectedExecutionException full) {
                    underWay.remove(epoch);
                }
            }
        }
    }

    private void run(long epoch) {
        try {
            sorts.sortClosed(new LogStream(LogStream.RECOVERED, epoch, LogStream.USER));
        } catch (BigtableException notNow) {
            log.debug("log of epoch {}: {}", epoch, notNow.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            underWay.remove(epoch);
        }
    }
}
