package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.ProcessExited;
import bt.record.ReachServer;
import bt.record.Reached;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deaths that the end of a lock does not tell. A process whose exit code was seen is dead at once. A server that holds its
 * lock but does not answer is taken for dead only after many polls, when another server does not reach it either, and
 * seldom: a master that is cut off itself must not end its cluster. Owned by the master's thread.
 */
final class Deaths {
    private static final Logger log = LoggerFactory.getLogger(Deaths.class);
    private static final int SILENT_POLLS = 4;

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** Of all servers, one in so many may be taken for dead in a minute; one always may. */
    private static final int SHARE = 10;

    private final Membership membership;
    private final Graves graves;
    private final Network network;
    private final Scheduler scheduler;
    private final MasterConfig config;
    private final Map<Member, Silence> silent = new HashMap<>();

    /** When a server was taken for dead, of the last minute. */
    private final Deque<Long> taken = new ArrayDeque<>();

    /** When the servers were asked last. */
    private long askedNanos;

    Deaths(Membership membership, Graves graves, Network network, Scheduler scheduler, MasterConfig config) {
        this.membership = membership;
        this.graves = graves;
        this.network = network;
        this.scheduler = scheduler;
        this.config = config;
    }

    /** The answer; empty when the message is for somebody else. */
    Optional<SpecificRecord> hear(SpecificRecord message) throws BigtableException {
        if (!(message instanceof ProcessExited exited)) {
            return Optional.empty();
        }
        Optional<Member> member = membership.inProcess(exited.getProcess());
        if (member.isPresent() && !exited.getProcess().isEmpty()) {
            graves.prove(member.get().epoch());
            membership.declareDeadWithItsLock(member.get(), "is in a process that has ended");
        }
        return Optional.of(new Done());
    }

    /** The servers are about to be asked. */
    void asking() {
        askedNanos = scheduler.clock().nanos();
    }

    /** Counts who has not answered; true when one was taken for dead. */
    boolean look(Sight sight) throws BigtableException, InterruptedException {
        graves.looked();
        boolean any = false;
        silent.keySet().retainAll(sight.living());
        silent.keySet().removeAll(sight.answered().keySet());
        for (Member member : sight.living()) {
            if (!sight.answered().containsKey(member)) {
                Silence silence = silent.computeIfAbsent(member, first -> new Silence(askedNanos));
                silence.polls++;
                any |= isSilentForLong(silence) && mayTakeAnother(sight) && takeForDead(member, sight);
            }
        }
        return any;
    }

    private boolean isSilentForLong(Silence silence) {
        long silentNanos = scheduler.clock().nanos() - silence.sinceNanos;
        return silence.polls >= SILENT_POLLS && silentNanos >= config.silenceMillis() * 1_000_000;
    }

    private boolean mayTakeAnother(Sight sight) {
        long now = scheduler.clock().nanos();
        taken.removeIf(when -> now - when >= MINUTE_NANOS);
        return taken.size() < Math.max(1, sight.living().size() / SHARE);
    }

    private boolean takeForDead(Member member, Sight sight) throws BigtableException, InterruptedException {
        Optional<Member> witness = sight.answered().keySet().stream().findFirst();
        if (witness.isEmpty() || isReachedBy(witness.get(), member)) {
            // Nobody else sees it, or it is we who do not.
            silent.put(member, new Silence(scheduler.clock().nanos()));
            return false;
        }
        membership.declareDeadWithItsLock(
                member,
                "holds its lock, but answers neither us nor " + witness.get().id());
        taken.add(scheduler.clock().nanos());
        return true;
    }

    /** Also when the witness cannot say. */
    private boolean isReachedBy(Member witness, Member member) throws InterruptedException {
        ReachServer question = new ReachServer(member.address().toString(), member.epoch());
        try {
            Answer answer = scheduler.await(
                    network.send(witness.address(), new Request.Control(question), config.requestMillis()),
                    config.requestMillis());
            return !(answer instanceof Answer.Control control
                    && control.message() instanceof Reached reached
                    && !reached.getAnswers());
        } catch (BigtableException unknown) {
            log.warn("{} cannot say whether {} answers: {}", witness.id(), member.id(), unknown.getMessage());
            return true;
        }
    }

    /** From the first question that was not answered in the time that a poll has. */
    private static final class Silence {
        private final long sinceNanos;
        private int polls;

        private Silence(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }
}
