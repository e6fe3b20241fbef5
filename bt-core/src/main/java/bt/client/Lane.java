package bt.client;

import static bt.base.Check.checkState;

import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.HeapPiece;
import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.protocol.WriteId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One of a batch writer's threads, and the only one that writes the rows that fall to it, so that two writes to one row
 * stay in their order. It sends what has gathered while it sent what was before: the slower the servers, the larger its
 * requests.
 */
final class Lane {
    private static final int WRITES_AT_ONCE = 1_000;
    private static final long BYTES_AT_ONCE = HeapPiece.BYTES;
    private static final long IDLE_MILLIS = 1_000;

    private final Writes writes;
    private final Session session;
    private final Room room;
    private final Failed failed;
    private final Mailbox<BatchedWrite> mailbox;
    private final Scheduler.Worker worker;

    /** Taken out of the mailbox, many at a time, and in no batch yet: before all that is still in there. */
    private final Deque<BatchedWrite> taken = new ArrayDeque<>();

    /** What was taken out and has not ended: an interruption may come between any two of them. */
    private final List<BatchedWrite> batch = new ArrayList<>();

    private volatile boolean ended;
    private volatile boolean stopped;

    Lane(String name, Writes writes, Session session, Room room, Failed failed) {
        this.writes = writes;
        this.session = session;
        this.room = room;
        this.failed = failed;
        this.mailbox = session.scheduler().mailbox(session.options().batchMutations());
        this.worker = session.scheduler().start(name, this::runToTheEnd);
    }

    void add(BatchedWrite write) {
        checkState(mailbox.offer(write), "a lane has room for all that the writer holds");
        if (ended) {
            // It came just after the end, and nobody else would take it out.
            refuseWaiting();
        }
    }

    /** Interrupts what it does; what it holds fails. */
    void stop() {
        // Whoever hangs on a future may have eaten the interruption.
        stopped = true;
        worker.interrupt();
    }

    void awaitEnd(Deadline farewell) throws InterruptedException {
        boolean unused = worker.join(farewell.leftMillis());
    }

    private void runToTheEnd() throws InterruptedException {
        try {
            run();
        } finally {
            ended = true;
            end(batch);
            end(taken);
            refuseWaiting();
        }
    }

    private void run() throws InterruptedException {
        while (!stopped) {
            take(taken.isEmpty() ? IDLE_MILLIS : 0);
            if (!taken.isEmpty()) {
                batch.add(taken.remove());
                if (number(batch.get(0).write())) {
                    gather();
                    send();
                }
                end(batch);
                batch.clear();
            }
        }
    }

    /** Adds what waits in the mailbox. Also where nothing is to be waited for: an interruption is seen here. */
    private void take(long timeoutMillis) throws InterruptedException {
        BatchedWrite next = mailbox.poll(timeoutMillis);
        if (next != null) {
            taken.add(next);
            mailbox.drainTo(taken, Math.max(0, WRITES_AT_ONCE - taken.size()));
        }
    }

    /** Numbers the first of a batch, which may wait for that: nothing that has one waits behind it. False when it has failed. */
    private boolean number(PendingWrite first) throws InterruptedException {
        try {
            first.numbered(session.openWrite(() -> writes.subject(first), session.deadline()));
            return true;
        } catch (OverloadedException crowded) {
            first.giveUp(crowded);
            return false;
        }
    }

    /** Up to the bounds of a request, or to a row that is among them already: two attempts could change their order. */
    private void gather() throws InterruptedException {
        Set<Bytes> rows = new HashSet<>(Set.of(batch.get(0).write().row()));
        long bytes = batch.get(0).place().bytes();
        while (batch.size() < WRITES_AT_ONCE) {
            if (taken.isEmpty()) {
                take(0);
            }
            BatchedWrite next = taken.peek();
            if (next == null) {
                return;
            }
            bytes += next.place().bytes();
            Optional<WriteId> id =
                    bytes <= BYTES_AT_ONCE && rows.add(next.write().row())
                            ? session.numbers().tryOpen()
                            : Optional.empty();
            if (id.isEmpty()) {
                return;
            }
            next.write().numbered(id.get());
            batch.add(taken.remove());
        }
    }

    private void send() throws InterruptedException {
        try {
            writes.finish(batch.stream().map(BatchedWrite::write).toList());
        } catch (RuntimeException | Error bug) {
            failed.add(bug);
            // Any of them may be at a server.
            batch.forEach(this::stop);
            throw bug;
        }
    }

    private void stop(BatchedWrite each) {
        each.write().stop(outcome -> session.stopped(writes.subject(each.write()), outcome));
    }

    private void refuseWaiting() {
        List<BatchedWrite> waiting = new ArrayList<>();
        mailbox.drainTo(waiting, Integer.MAX_VALUE);
        end(waiting);
    }

    /** What has not been tried to its end will not be. */
    private void end(Collection<BatchedWrite> untold) {
        for (BatchedWrite each : untold) {
            stop(each);
            each.tell().ifPresent(failure -> failed.add(each.write(), failure));
        }
        session.numbers()
                .close(untold.stream()
                        .flatMap(each -> each.write().id().stream())
                        .toList());
        // After all are told: who waits for the room to empty finds every result there. Together: who waits for room is
        // woken once.
        room.leave(untold.stream().map(BatchedWrite::place).toList());
    }
}
