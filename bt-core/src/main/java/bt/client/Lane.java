package bt.client;

import static bt.base.Check.checkState;

import bt.base.Bytes;
import bt.base.Mailbox;
import bt.base.Scheduler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of a batch writer's threads, and the only one that writes the rows that fall to it, so that two writes to one row
 * stay in their order. It sends what has gathered while it sent what was before: the slower the servers, the larger its
 * requests.
 */
final class Lane {
    private static final int WRITES_AT_ONCE = 1_000;
    private static final long BYTES_AT_ONCE = 1 << 20;
    private static final long IDLE_MILLIS = 1_000;

    private final Writes writes;
    private final Session session;
    private final Room room;
    private final Failed failed;
    private final Mailbox<PendingWrite> mailbox;
    private final Scheduler.Worker worker;
    private @Nullable PendingWrite held;

    Lane(String name, Writes writes, Session session, Room room, Failed failed, int capacity) {
        this.writes = writes;
        this.session = session;
        this.room = room;
        this.failed = failed;
        this.mailbox = session.scheduler().mailbox(capacity);
        this.worker = session.scheduler().start(name, this::run);
    }

    void add(PendingWrite write) {
        checkState(mailbox.offer(write), "a lane has room for all that the writer holds");
    }

    /** Interrupts what it does. */
    void stop() {
        worker.interrupt();
    }

    private void run() throws InterruptedException {
        while (true) {
            PendingWrite first = held != null ? held : mailbox.poll(IDLE_MILLIS);
            held = null;
            if (first != null) {
                send(gather(first));
            }
        }
    }

    /** Up to the bounds of a request, or to a row that is among them already: two attempts could change their order. */
    private List<PendingWrite> gather(PendingWrite first) throws InterruptedException {
        List<PendingWrite> batch = new ArrayList<>();
        Set<Bytes> rows = new HashSet<>();
        long bytes = 0;
        PendingWrite next = first;
        while (next != null) {
            if (!rows.add(next.row()) || (!batch.isEmpty() && bytes + next.bytes() > BYTES_AT_ONCE)) {
                held = next;
                return batch;
            }
            batch.add(next);
            bytes += next.bytes();
            next = batch.size() < WRITES_AT_ONCE ? mailbox.poll(0) : null;
        }
        return batch;
    }

    private void send(List<PendingWrite> batch) throws InterruptedException {
        try {
            writes.finish(batch);
        } catch (RuntimeException bug) {
            failed.add(bug);
            throw bug;
        } finally {
            long bytes = 0;
            for (PendingWrite write : batch) {
                session.numbers().close(write.id());
                if (!write.isOpen()) {
                    write.failure().ifPresent(failure -> failed.add(write, failure));
                }
                bytes += write.bytes();
            }
            room.leave(batch.size(), bytes);
        }
    }
}
