package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.PageBounds;
import bt.protocol.Request.Scan;
import bt.protocol.RowResume;
import bt.sstable.ReadWork;
import bt.tablet.Page;
import bt.tablet.PageLimits;
import bt.tablet.ReadSpec;
import bt.tablet.Resume;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * Answers reads: a page from the tablet, on the read pool, and only while the lease is held. A read that nobody waits for
 * any more is not begun, and one that is under way ends. Any thread.
 */
final class Reads {
    private static final int MAX_PAGE_BYTES = 16 << 20;
    private static final int MAX_PAGE_CELLS = 1_000_000;

    private final TabletSet tablets;
    private final Pools pools;
    private final Lease lease;
    private final Clock clock;

    Reads(TabletSet tablets, Pools pools, Lease lease, Clock clock) {
        this.tablets = tablets;
        this.pools = pools;
        this.lease = lease;
        this.clock = clock;
    }

    CompletableFuture<Answer> page(Caller caller, Scan scan) {
        if (scan.range().isEmpty()) {
            return CompletableFuture.completedFuture(
                    new Answer.Page(List.of(), Optional.empty(), Optional.empty(), 0, 0));
        }
        Optional<HostedTablet> hosted =
                tablets.find(scan.tableId(), scan.range().start());
        if (hosted.isEmpty()) {
            return CompletableFuture.failedFuture(new UnavailableException(
                    "table " + scan.tableId() + " row " + scan.range().start() + " is not served here: locate it again",
                    Outcome.NOT_APPLIED));
        }
        hosted.get().traffic().count(scan.range().start());
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        try {
            pools.reads(scan.tableId()).execute(() -> read(hosted.get(), caller, scan, answer));
        } catch (RejectedExecutionException full) {
            answer.completeExceptionally(
                    new OverloadedException("too many reads wait here", CommitQueue.RETRY_AFTER_MILLIS));
        }
        return answer;
    }

    private void read(HostedTablet hosted, Caller caller, Scan scan, CompletableFuture<Answer> answer) {
        ReadWork work = ReadWork.ofThread();
        try {
            work.begin(new AwaitedRead(caller, clock));
            Page page = hosted.tablet().read(spec(scan));
            work.complete();
            answer(page, caller, answer);
        } catch (BigtableException | RuntimeException failed) {
            answer.completeExceptionally(failed);
        } finally {
            work.end();
        }
    }

    private void answer(Page page, Caller caller, CompletableFuture<Answer> answer) {
        // The lease is looked at after the value was read: held now, it was held then, and no other server can have
        // acknowledged anything newer in between.
        CompletableFuture<?> unused = lease.whenHeld(caller.deadlineNanos()).whenComplete((held, lapsed) -> {
            if (lapsed == null) {
                answer.complete(page(page));
            } else {
                answer.completeExceptionally(lapsed);
            }
        });
    }

    private static ReadSpec spec(Scan scan) {
        PageBounds bounds = scan.bounds();
        PageLimits limits = new PageLimits(
                bounds.rows(), Math.min(bounds.cells(), MAX_PAGE_CELLS), Math.min(bounds.bytes(), MAX_PAGE_BYTES));
        return new ReadSpec(
                scan.range(),
                scan.filter(),
                limits,
                scan.resume().map(at -> new Resume(at.afterKey(), at.sequence(), at.nowMicros(), at.counted())));
    }

    private static Answer.Page page(Page page) {
        return new Answer.Page(
                page.cells(),
                page.next(),
                page.resume().map(at -> new RowResume(at.afterKey(), at.sequence(), at.nowMicros(), at.counted())),
                page.rowsSeen(),
                page.cellsSeen());
    }
}
