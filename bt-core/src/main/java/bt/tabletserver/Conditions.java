package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.model.Filter;
import bt.model.RowRange;
import bt.protocol.Condition;
import bt.sstable.ReadWork;
import bt.tablet.Page;
import bt.tablet.PageLimits;
import bt.tablet.ReadSpec;
import bt.tablet.Resume;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Evaluates the conditions of writes where reads run, so that the commit thread need not: it only sees to it that the row
 * has not changed since, and sends the write back here if it has. Any thread.
 */
final class Conditions {
    private final Pools pools;
    private final Clock clock;

    Conditions(Pools pools, Clock clock) {
        this.pools = pools;
        this.clock = clock;
    }

    /** Sends the write on to the tablet's commit queue once its condition is evaluated. */
    void evaluate(WriteEntry entry, HostedTablet hosted) {
        try {
            pools.reads(entry.tableId()).execute(entry.caller().host(), () -> run(entry, hosted));
        } catch (RejectedExecutionException full) {
            entry.refuse(new OverloadedException("too many reads wait here", CommitQueue.RETRY_AFTER_MILLIS));
        }
    }

    private void run(WriteEntry entry, HostedTablet hosted) {
        ReadWork work = ReadWork.ofThread();
        entry.trace().taken();
        try {
            entry.caller().checkWaits(clock.nanos());
            work.begin(new AwaitedRead(entry.caller(), clock), AwaitedRead.STEPS_BETWEEN_LOOKS);
            // Before the read: what the read sees beyond this point then counts as a change, and is looked at again.
            long readPoint = hosted.tablet().readPoint();
            Condition condition = entry.write().condition().orElseThrow();
            Optional<Bytes> newest = newest(entry.write().mutation().row(), condition, hosted);
            entry.trace().read(work);
            hosted.queue().write(entry.evaluated(newest.equals(condition.value()), readPoint));
        } catch (BigtableException failed) {
            entry.refuse(failed);
        } catch (RuntimeException bug) {
            // Unanswered, its room would be taken for ever.
            entry.refuse(new RejectedException("the condition could not be evaluated: " + bug));
            throw bug;
        } finally {
            work.end();
        }
    }

    private static Optional<Bytes> newest(Bytes row, Condition condition, HostedTablet hosted)
            throws BigtableException {
        Filter filter =
                new Filter.Chain(List.of(new Filter.Columns(List.of(condition.column())), new Filter.Latest(1)));
        Optional<Resume> resume = Optional.empty();
        do {
            Page page = hosted.tablet().read(new ReadSpec(RowRange.row(row), filter, PageLimits.DEFAULT, resume));
            if (!page.cells().isEmpty()) {
                return Optional.of(page.cells().get(0).value());
            }
            resume = page.resume();
        } while (resume.isPresent());
        return Optional.empty();
    }
}
