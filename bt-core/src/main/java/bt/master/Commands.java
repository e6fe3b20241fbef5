package bt.master;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import bt.base.Clock;
import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.base.Turns;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.record.ClusterStatusRequest;
import bt.record.DrainServer;
import bt.record.GarbageRequest;
import bt.record.RecoveryRequest;
import bt.record.StopProcess;
import bt.record.SweepRequest;
import bt.record.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the master is asked for, of one host after the other. Orders of the process's own user have places of their own, so have those of
 * all others, and so have questions, which everybody may ask: that a process has ended, drains, and what its owner wants done
 * find room whatever others want, and what anybody wants done however many only ask. Of one host no more wait than there are places
 * left, half of them where it is alone. Any thread offers; the master's thread takes.
 */
final class Commands {
    /** Of each kind. */
    static final int BOUND = 1_000;

    private final Clock clock;
    private final HostLine<Command> orders;
    private final Turns<Command> questions = new Turns<>(BOUND);

    /** Rings when there is something to do. */
    private final Mailbox<Boolean> bell;

    private final AtomicBoolean woken = new AtomicBoolean();

    /** The first order, when it was looked at and not taken. */
    private @Nullable Command first;

    /** The owner is the user of this process. */
    Commands(Scheduler scheduler, String owner) {
        this.clock = scheduler.clock();
        this.orders = new HostLine<>(owner, BOUND);
        this.bell = scheduler.mailbox(1);
    }

    /** One message, whose it is, and where its answer goes. */
    record Command(Caller caller, SpecificRecord message, CompletableFuture<Answer> answer) {
        String user() {
            return caller.user();
        }

        /** Why it is not to be begun any more; empty while somebody waits for it. */
        Optional<UnavailableException> whyOver(long nowNanos) {
            return caller.whyOver(nowNanos);
        }

        /** That, to whoever may hear it. */
        void tellOver(long nowNanos) {
            whyOver(nowNanos).ifPresent(answer::completeExceptionally);
        }

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

    /** False when its host has as many waiting as there are places left. */
    boolean offer(Command command) {
        boolean taken = command.onlyAsks()
                ? questions.add(command.caller().host(), command)
                : orders.add(command.caller(), command);
        ring();
        return taken;
    }

    /** Has the master's thread look, without anybody who asks. Any thread. */
    void wake() {
        woken.set(true);
        ring();
    }

    private void ring() {
        // False when it rings already.
        boolean unused = bell.offer(true);
    }

    /** How many wait. */
    int size() {
        return orders.size() + questions.size();
    }

    /** Until there is something to do, or the time is over. */
    void await(long millis) throws InterruptedException {
        long endNanos = clock.nanos() + MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0 && !isAsked(); left = millisUntil(endNanos)) {
            // It may have rung for what was taken already.
            Boolean unused = bell.poll(left);
        }
    }

    private long millisUntil(long nanos) {
        return Math.max(0, (nanos - clock.nanos() + 999_999) / 1_000_000);
    }

    private boolean isAsked() {
        return woken.get() || first != null || size() > 0;
    }

    /** Whether somebody has it woken since this was asked last. */
    boolean isWoken() {
        return woken.getAndSet(false);
    }

    /** All questions that wait now. They are answered in one turn of the loop: who asks often keeps nobody waiting. */
    List<Command> questions() {
        List<Command> taken = new ArrayList<>();
        Optional<Command> next = questions.take();
        while (next.isPresent()) {
            taken.add(next.get());
            next = taken.size() == BOUND ? Optional.empty() : questions.take();
        }
        return taken;
    }

    /** A stop, if the turn has come to one. */
    Optional<Command> stop() {
        return take(Command::isStop);
    }

    /** Likewise one that is refused, which is no reason to end a turn of the loop. */
    Optional<Command> stop(Predicate<Command> isRefused) {
        return take(order -> order.isStop() && isRefused.test(order));
    }

    /** The order whose turn it is, or none where that is a stop. */
    Optional<Command> order() {
        return take(order -> !order.isStop());
    }

    private Optional<Command> take(Predicate<Command> which) {
        Optional<Command> next = look().filter(which);
        if (next.isPresent()) {
            first = null;
        }
        return next;
    }

    private Optional<Command> look() {
        if (first == null) {
            long now = clock.nanos();
            first = orders.take(order -> order.whyOver(now).isPresent(), order -> order.tellOver(now))
                    .orElse(null);
        }
        return Optional.ofNullable(first);
    }

    /** All that wait, stops too, when none is waited for any more. */
    List<Command> drain() {
        List<Command> taken = new ArrayList<>(questions());
        look().ifPresent(taken::add);
        first = null;
        taken.addAll(orders.drain());
        return taken;
    }
}
