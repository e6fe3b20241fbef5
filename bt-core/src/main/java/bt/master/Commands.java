package bt.master;

import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.protocol.Answer;
import bt.record.ClusterStatusRequest;
import bt.record.DrainServer;
import bt.record.GarbageRequest;
import bt.record.RecoveryRequest;
import bt.record.StopProcess;
import bt.record.SweepRequest;
import bt.record.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What the master is asked for, in the order in which it came. Any thread offers; the master's thread takes. */
final class Commands {
    static final int BOUND = 1_000;

    private final Mailbox<Command> waiting;

    /** A stop that was found behind others. */
    private @Nullable Command postponed;

    Commands(Scheduler scheduler) {
        this.waiting = scheduler.mailbox(BOUND);
    }

    /** One message, whose it is, and where its answer goes. */
    record Command(String user, SpecificRecord message, CompletableFuture<Answer> answer) {
        boolean isStop() {
            return message instanceof StopProcess;
        }

        /** Whether all who ask it in one turn of the loop are told the same. */
        boolean isForAll() {
            return message instanceof ClusterStatusRequest || message instanceof WorkRequest;
        }

        /**
         * Whether it changes nothing that a pass would see. Who drains a server asks again and again how far that is; the first
         * time counts with the next look, which every turn of the loop begins with.
         */
        boolean isQuestion() {
            return message instanceof ClusterStatusRequest
                    || message instanceof RecoveryRequest
                    || message instanceof WorkRequest
                    || message instanceof GarbageRequest
                    || message instanceof SweepRequest
                    || message instanceof DrainServer;
        }
    }

    /** False when {@value #BOUND} wait already. */
    boolean offer(Command command) {
        return waiting.offer(command);
    }

    /**
     * All that wait, the first of them for so long; a stop comes alone. They are carried out in one turn of the loop, which
     * may have to read all of METADATA: who asks often keeps nobody waiting.
     */
    List<Command> take(long millis) throws InterruptedException {
        List<Command> taken = new ArrayList<>();
        Command next = postponed != null ? postponed : waiting.poll(millis);
        postponed = null;
        while (next != null) {
            if (next.isStop() && !taken.isEmpty()) {
                postponed = next;
                return taken;
            }
            taken.add(next);
            next = next.isStop() || taken.size() == BOUND ? null : waiting.poll(0);
        }
        return taken;
    }
}
