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

/**
 * What the master is asked for, in the order in which it came. Half of the places are kept for orders of the process's own user: that
 * a process has ended, drains, and what its owner wants done find room however many ask questions. Any thread offers; the
 * master's thread takes.
 */
final class Commands {
    static final int BOUND = 1_000;
    static final int BOUND_OF_OTHERS = BOUND / 2;

    private final Mailbox<Command> waiting;
    private final String owner;

    /** A stop that was found behind others. */
    private @Nullable Command postponed;

    /** The owner is the user of this process. */
    Commands(Scheduler scheduler, String owner) {
        this.owner = owner;
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
            return onlyAsks() || message instanceof SweepRequest || message instanceof DrainServer;
        }

        /** Whether whoever sends it wants to know something, and has nothing done. */
        private boolean onlyAsks() {
            return message instanceof ClusterStatusRequest
                    || message instanceof RecoveryRequest
                    || message instanceof WorkRequest
                    || message instanceof GarbageRequest
                    || (message instanceof SweepRequest sweep && !sweep.getBegin());
        }
    }

    /** False when {@value #BOUND} wait already; of a question, and of another than the owner's, when half as many do. */
    boolean offer(Command command) {
        return waiting.offerAll(List.of(command), most(command)) == 1;
    }

    /** How many may wait where one like it does. */
    int most(Command command) {
        boolean isOrderOfOwner = command.user().equals(owner) && !command.onlyAsks();
        return isOrderOfOwner ? BOUND : BOUND_OF_OTHERS;
    }

    /** How many wait. */
    int size() {
        return waiting.size();
    }

    /** All that wait, stops too, when none is waited for any more. */
    List<Command> drain() {
        List<Command> taken = new ArrayList<>();
        if (postponed != null) {
            taken.add(postponed);
            postponed = null;
        }
        int unused = waiting.drainTo(taken, BOUND);
        return taken;
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
