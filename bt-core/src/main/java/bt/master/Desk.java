package bt.master;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import bt.base.BigtableException;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.master.Commands.Command;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.record.ChangeAccess;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.MergeTablets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has done what the master is asked for, between its looks: all questions at once, then orders and changes of tables, of one host after
 * the other, for a second or until none is left. What remains waits for the next turn, and the servers are looked at before. What
 * nobody waits for any more is not begun. Owned by the master's thread.
 */
final class Desk {
    private static final Logger log = LoggerFactory.getLogger(Desk.class);

    /** A server that has died meanwhile is noticed so much later. */
    private static final long TURN_MILLIS = 1_000;

    private final Commands commands;
    private final Permits permits;
    private final Scheduler scheduler;
    private final TurnAnswers told = new TurnAnswers();

    /** Taken, and without an answer. */
    private final Deque<Command> left = new ArrayDeque<>();

    private long endNanos;

    Desk(Commands commands, Permits permits, Scheduler scheduler) {
        this.commands = commands;
        this.permits = permits;
        this.scheduler = scheduler;
    }

    /** A turn begins. The stop, if there is one to be done before all else. */
    Optional<Command> begin() {
        endNanos = scheduler.clock().nanos() + MILLISECONDS.toNanos(TURN_MILLIS);
        permits.begin();
        told.begin();
        return commands.stop().filter(stop -> admit(stop).isPresent());
    }

    /** What there is a turn for; true when something was done that a pass should see. */
    boolean work(Lock lock, Reign reign) throws BigtableException, InterruptedException {
        changeTables(lock, reign);
        left.addAll(commands.questions());
        boolean due = false;
        while (!left.isEmpty()) {
            due |= carryOut(lock, reign);
        }
        for (Optional<Command> order = order(); order.isPresent(); order = nextOrder()) {
            left.add(order.get());
            due |= carryOut(lock, reign);
            if (mayGoOn()) {
                changeTables(lock, reign);
            }
        }
        return due;
    }

    private Optional<Command> nextOrder() {
        return mayGoOn() ? order() : Optional.empty();
    }

    /** None where the turn has come to a stop, which ends that of the loop: not to one that is refused. */
    private Optional<Command> order() {
        Optional<Command> order = commands.order();
        while (order.isEmpty() && mayGoOn() && commands.stop(this::isRefused).isPresent()) {
            order = commands.order();
        }
        return order;
    }

    private boolean isRefused(Command command) {
        return admit(command).isEmpty();
    }

    private boolean mayGoOn() {
        return scheduler.clock().nanos() - endNanos < 0;
    }

    /** Whoever waits for a turn is told why there is none. Nothing of it was begun, and what was is not over by that. */
    void fail(BigtableException why) {
        left.addAll(commands.drain());
        BigtableException notBegun = why.notApplied();
        left.forEach(command -> command.answer().completeExceptionally(notBegun));
        left.clear();
    }

    /** The first of what is left; true when a pass should see what was done. */
    private boolean carryOut(Lock lock, Reign reign) throws BigtableException, InterruptedException {
        Command command = left.element();
        // First: who may not have it done costs neither a write of the lock nor a pass.
        Optional<SpecificRecord> admitted = admit(command);
        boolean changes = admitted.isPresent() && !command.isQuestion();
        if (changes) {
            // Those before may have taken long.
            lock.renew();
        }
        left.remove();
        if (admitted.isPresent()) {
            attempt(command, lock, () -> begin(command, admitted.get(), reign));
        }
        if (changes) {
            permits.begin();
        }
        return changes;
    }

    /** What is to be done; empty when it may not be done for the user, or he does not wait for it any more. He is told so. */
    private Optional<SpecificRecord> admit(Command command) {
        try {
            command.caller().checkWaits(scheduler.clock().nanos());
            return Optional.of(permits.admit(command.user(), command.message()));
        } catch (BigtableException refused) {
            log.debug("refused: {}", refused.getMessage());
            command.answer().completeExceptionally(refused);
            return Optional.empty();
        }
    }

    /** Changes of tables, as far as there is something to do about them now, and time. */
    private void changeTables(Lock lock, Reign reign) throws BigtableException, InterruptedException {
        TableChanges changes = reign.changes();
        Optional<Command> ready = changes.ready();
        while (ready.isPresent()) {
            // What came before may have taken long.
            lock.renew();
            attempt(ready.get(), lock, changes::advance);
            permits.begin();
            ready = mayGoOn() ? changes.ready() : Optional.empty();
        }
    }

    /** A part of what a command has done. */
    @FunctionalInterface
    private interface Part {
        void run() throws BigtableException, InterruptedException;
    }

    /** Tells whoever has sent the command of its failure. */
    private static void attempt(Command command, Lock lock, Part part) throws FencedException, InterruptedException {
        try {
            try {
                part.run();
            } catch (RejectedException refused) {
                // Perhaps for what the next master has done, or by a server that obeys it: then it is not the caller's
                // mistake. Where nobody can tell, he asks again.
                lock.renew();
                command.answer().completeExceptionally(refused);
            }
        } catch (FencedException lost) {
            // Not the caller's lock: he is to ask the next master.
            command.answer()
                    .completeExceptionally(new UnavailableException(
                            "this master is followed by another: " + lost.getMessage(), lost.outcome()));
            throw lost;
        } catch (BigtableException failed) {
            command.answer().completeExceptionally(failed);
        }
    }

    private void begin(Command command, SpecificRecord message, Reign reign)
            throws BigtableException, InterruptedException {
        Optional<TableChanges.Beginning> change = TableCommands.change(message, reign);
        if (change.isPresent()) {
            reign.changes().add(command, change.get());
            return;
        }
        TurnAnswers.Maker maker = () -> answer(command.caller(), message, reign);
        answerLater(command, command.isForAll() ? told.to(message, maker) : maker.make());
    }

    private CompletableFuture<? extends SpecificRecord> answer(Caller caller, SpecificRecord message, Reign reign)
            throws BigtableException, InterruptedException {
        Optional<CompletableFuture<? extends SpecificRecord>> begun = reign.begin(message, caller.host());
        return begun.isPresent() ? begun.get() : CompletableFuture.completedFuture(answerNow(caller, message, reign));
    }

    private static void answerLater(Command command, CompletableFuture<? extends SpecificRecord> begun) {
        CompletableFuture<?> unused = begun.whenComplete((answer, failure) -> {
            if (failure == null) {
                command.answer().complete(new Answer.Control(answer));
            } else {
                command.answer().completeExceptionally(failure);
            }
        });
    }

    private SpecificRecord answerNow(Caller caller, SpecificRecord message, Reign reign)
            throws BigtableException, InterruptedException {
        if (message instanceof MergeTablets wish) {
            reign.merge(wish, caller.host());
            return new Done();
        }
        if (message instanceof ChangeAccess change) {
            permits.change(change, caller.user());
            return new Done();
        }
        if (message instanceof ClusterStatusRequest) {
            return reign.report();
        }
        throw new RejectedException(
                "a master knows no " + message.getSchema().getName(), "upgrade the older of the two processes");
    }
}
