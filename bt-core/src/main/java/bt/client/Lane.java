package bt.client;

import static bt.base.Check.checkState;

import bt.base.Bytes;
import bt.base.HeapPiece;
import bt.base.Mailbox;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.protocol.WriteId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    /** What was taken out and has not ended: an interruption may come between any two of them. */
    private final List<BatchedWrite> batch = new ArrayList<>();

    /** For the next batch. */
    private @Nullable BatchedWrite held;

    private volatile boolean ended;

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
        worker.interrupt();
    }

    private void runToTheEnd() throws InterruptedException {
        try {
            run();
        } finally {
            ended = true;
            end(batch);
            if (held != null) {
                end(List.of(held));
            }
            refuseWaiting();
        }
    }

    private void run() throws InterruptedException {
        while (true) {
            BatchedWrite first = held != null ? held : mailbox.poll(IDLE_MILLIS);
            held = null;
            if (first != null) {
                batch.add(first);
                if (number(first.write())) {
                    gather();
                    send();
                }
                end(batch);
                batch.clear();
            }
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
            BatchedWrite next = mailbox.poll(0);
            if (next == null) {
                return;
            }
            bytes += next.place().bytes();
            Optional<WriteId> id =
                    bytes <= BYTES_AT_ONCE && rows.add(next.write().row())
                            ? session.numbers().tryOpen()
                            : Optional.empty();
            if (id.isEmpty()) {
                held = next;
                return;
            }
            next.write().numbered(id.get());
            batch.add(next);
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
        each.write().stop(() -> session.stopped(writes.subject(each.write())));
    }

    private void refuseWaiting() {
        List<BatchedWrite> waiting = new ArrayList<>();
        mailbox.drainTo(waiting, Integer.MAX_VALUE);
        end(waiting);
    }

    /** What has not been tried to its end will not be. */
    private void end(List<BatchedWrite> untold) {
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
