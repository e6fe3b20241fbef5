package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Halt;
import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.log.CommitLog;
import bt.metadata.MetadataSchema;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.LogReport;
import bt.tablet.Tablet;
import bt.tabletserver.CommitEntry.Between;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Where writes wait for the commit thread, bounded by count, by bytes, and by the memtables' share of the heap: beyond
 * that a write is OVERLOADED, unless it is one that lets memtables become files. A server has two of these, which share
 * nothing: one for METADATA's tablets, one for all others. Any thread.
 */
final class CommitQueue {
    static final long RETRY_AFTER_MILLIS = 50;

    private static final RowRange ROOT_ROWS = MetadataSchema.ROOT.range(Optional.empty());

    /** Of one host at most half of them, and of the bytes. */
    private static final int MAX_WRITES = 20_000;

    /** Beside the writes, so that freezing and unloading get in when there are many. */
    private static final int MAX_OTHERS = 2_000;

    private static final long MAX_QUEUED_BYTES = 64L << 20;

    private static final String CROWDED = "too many writes wait for the commit log";

    private final Mailbox<CommitEntry> mailbox;
    private final QueueRoom room = new QueueRoom(MAX_WRITES, MAX_QUEUED_BYTES);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CommitWorker worker;
    private final Scheduler.Worker thread;

    /** Takes over the log. {@code memtableShareBytes} is what all memtables behind this queue may hold. */
    static CommitQueue start(
            String name, Scheduler scheduler, CommitLog log, long memtableShareBytes, CommitHooks hooks, Halt halt) {
        Mailbox<CommitEntry> mailbox = scheduler.mailbox(MAX_WRITES + MAX_OTHERS);
        CommitWorker worker = new CommitWorker(scheduler, log, memtableShareBytes, hooks, halt);
        return new CommitQueue(name, scheduler, mailbox, worker);
    }

    private CommitQueue(String name, Scheduler scheduler, Mailbox<CommitEntry> mailbox, CommitWorker worker) {
        this.mailbox = mailbox;
        this.worker = worker;
        this.thread = scheduler.start(name, () -> {
            try {
                worker.run(mailbox, room);
            } finally {
                refuseWaiting();
                ended.complete(null);
            }
        });
    }

    /** Its answer will come through the entry itself. */
    void write(WriteEntry entry) {
        write(List.of(entry));
    }

    /**
     * The same of several, which one host sent: a request has hundreds, and the lock that it takes to give them is the commit
     * thread's too. The first of them are taken for which there is room.
     */
    void write(List<WriteEntry> entries) {
        List<WriteEntry> wanted = entries;
        if (worker.memtablesAreFull()) {
            wanted = entries.stream().filter(CommitQueue::isOfRoot).toList();
            List<WriteEntry> others =
                    entries.stream().filter(entry -> !isOfRoot(entry)).toList();
            refuse(others, "memtables fill their share until the next is written to a file");
        }
        List<WriteEntry> given = wanted.subList(0, room.enter(wanted));
        List<WriteEntry> late = given.subList(mailbox.offerAll(given, MAX_WRITES), given.size());
        room.leave(late);
        refuse(late, CROWDED);
        refuse(wanted.subList(given.size(), wanted.size()), CROWDED);
        refuseIfEnded();
    }

    /** How fast its memtables are to become files where nobody waits for it, all together. */
    long flushBytesPerSecond() {
        return worker.flushBytesPerSecond();
    }

    /** The tablet is being loaded: what its logs held of it is of the memtables' share, until it is adopted or closed. */
    void comes(Tablet tablet) {
        worker.comes(tablet);
    }

    /** Whether the memtables' share has room for what logs hold of a tablet. */
    boolean hasRoom() {
        return worker.hasRoom();
    }

    /** From now on the tablet's writes are taken, with sequences above all that it has. Its thread so far passed it on. */
    CompletableFuture<Void> adopt(HostedTablet tablet, Outcomes replayed) {
        return between(on -> on.adopt(tablet, replayed));
    }

    /** What is in the memtable now is among what is to be written to files. */
    CompletableFuture<Void> freeze(HostedTablet tablet) {
        return between(on -> on.freeze(tablet));
    }

    /** From now on the tablet's writes are refused, and its memtable is frozen. */
    CompletableFuture<Void> disown(HostedTablet tablet) {
        return between(on -> on.disown(tablet));
    }

    /** Ends after all that waits now, and closes the log with a footer. */
    CompletableFuture<Void> close() {
        return between(CommitWorker::close).thenCompose(nothing -> ended);
    }

    /** Ends at once and leaves the log as it is. */
    void abandon() {
        thread.interrupt();
    }

    /** When the commit thread was last seen between two batches, in monotonic nanoseconds. */
    long progressNanos() {
        return worker.progressNanos();
    }

    /** Grows as long as the commit thread gets on, or waits for the log and looks whether it may. */
    long steps() {
        return worker.steps();
    }

    /** Whether there is no commit thread any more. */
    boolean hasEnded() {
        return worker.hasEnded();
    }

    /** What was written to the log, and what was done to keep it short. */
    LogReport logReport() {
        return worker.logReport();
    }

    private CompletableFuture<Void> between(Consumer<CommitWorker> action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Between entry = new Between() {
            @Override
            public void run(CommitWorker on) {
                action.accept(on);
                done.complete(null);
            }

            @Override
            public void refuse(BigtableException why) {
                done.completeExceptionally(why);
            }
        };
        if (!mailbox.offer(entry)) {
            entry.refuse(new OverloadedException("the commit queue is full", RETRY_AFTER_MILLIS));
        }
        refuseIfEnded();
        return done;
    }

    /**
     * Its rows name the files of METADATA's other tablets: were they refused, no memtable of these would ever be in a file, and
     * the share would stay full. The root tablet's own files are named in the lock service.
     */
    private static boolean isOfRoot(WriteEntry entry) {
        return entry.tableId() == TableSchema.METADATA_ID
                && ROOT_ROWS.contains(entry.write().mutation().row());
    }

    /** All in the same words: a request has thousands, and a failure with its stack for each is more than they are. */
    private static void refuse(List<WriteEntry> entries, String why) {
        if (entries.isEmpty()) {
            return;
        }
        String first = "row " + entries.get(0).write().mutation().row().brief();
        String rows = entries.size() == 1 ? first : first + " and others, " + entries.size() + " in all";
        OverloadedException refused = new OverloadedException(rows + ": " + why, RETRY_AFTER_MILLIS);
        entries.forEach(entry -> entry.refuse(refused));
    }

    /** An entry that came just after the end would never be answered. */
    private void refuseIfEnded() {
        if (worker.hasEnded()) {
            refuseWaiting();
        }
    }

    private void refuseWaiting() {
        List<CommitEntry> waiting = new ArrayList<>();
        mailbox.drainTo(waiting, Integer.MAX_VALUE);
        for (CommitEntry entry : waiting) {
            entry.refuse(new UnavailableException("this server stops", Outcome.NOT_APPLIED));
        }
    }
}
