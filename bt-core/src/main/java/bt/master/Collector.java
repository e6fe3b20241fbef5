package bt.master;

import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.record.GarbageReport;
import bt.record.GarbageRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps garbage as long as its master reigns: twice in every grace, and when somebody asks. Its worker owns it, so that
 * nothing that a cluster needs at once waits for a sweep.
 */
final class Collector {
    private static final Logger log = LoggerFactory.getLogger(Collector.class);
    private static final int MAX_ASKED = 100;
    private static final long LONGEST_WAIT_MILLIS = 60_000;

    private final Sweep.Ports ports;
    private final Graces graces;
    private final Waiting waiting;
    private final Mailbox<Asked> mailbox;
    private final Runnable step;
    private volatile GarbageReport last = SweepTally.none();

    /** {@code step} is told that the worker gets on, where that waits for nothing else. */
    Collector(Sweep.Ports ports, Graces graces, Runnable step) {
        this.ports = ports;
        this.graces = graces;
        this.waiting = new Waiting(graces.garbageMillis());
        this.mailbox = ports.scheduler().mailbox(MAX_ASKED);
        this.step = step;
    }

    private record Asked(boolean dry, CompletableFuture<GarbageReport> answer) {}

    /** What the last sweep did, or the one that is asked for. Any thread. */
    CompletableFuture<GarbageReport> ask(GarbageRequest request) {
        CompletableFuture<GarbageReport> answer = new CompletableFuture<>();
        if (!request.getNow()) {
            answer.complete(last);
        } else if (!mailbox.offer(new Asked(request.getDry(), answer))) {
            answer.completeExceptionally(new OverloadedException(MAX_ASKED + " sweeps are asked for", 1_000));
        }
        return answer;
    }

    /** The worker. */
    void run() throws InterruptedException {
        long periodMillis = Math.max(1, graces.garbageMillis() / 2);
        long nextNanos = ports.scheduler().clock().nanos() + periodMillis * 1_000_000;
        while (true) {
            step.run();
            long leftNanos = nextNanos - ports.scheduler().clock().nanos();
            if (leftNanos <= 0) {
                sweep();
                nextNanos = ports.scheduler().clock().nanos() + periodMillis * 1_000_000;
                continue;
            }
            Asked asked = mailbox.poll(Math.min(LONGEST_WAIT_MILLIS, leftNanos / 1_000_000 + 1));
            if (asked != null) {
                answer(asked);
            }
        }
    }

    /** One sweep for all that ask for the same. */
    private void answer(Asked first) throws InterruptedException {
        List<Asked> all = new ArrayList<>(List.of(first));
        mailbox.drainTo(all, MAX_ASKED);
        if (all.stream().anyMatch(Asked::dry)) {
            GarbageReport dry = new Sweep(ports, graces, waiting, true).run();
            all.stream().filter(Asked::dry).forEach(each -> each.answer().complete(dry));
        }
        if (!all.stream().allMatch(Asked::dry)) {
            GarbageReport done = sweep();
            all.stream().filter(each -> !each.dry()).forEach(each -> each.answer()
                    .complete(done));
        }
    }

    private GarbageReport sweep() throws InterruptedException {
        GarbageReport report = new Sweep(ports, graces, waiting, false).run();
        last = report;
        if (report.getDeletedFiles() > 0 || report.getDeletedLogs() > 0) {
            log.info(
                    "garbage: {} files with {} bytes and {} logs are deleted, {} files wait",
                    report.getDeletedFiles(),
                    report.getDeletedBytes(),
                    report.getDeletedLogs(),
                    report.getWaitingFiles());
        }
        return report;
    }
}
