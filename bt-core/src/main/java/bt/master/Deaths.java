package bt.master;

import bt.base.BigtableException;
import bt.base.Failures;
import bt.base.Scheduler;
import bt.coord.Lock;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.ProcessExited;
import bt.record.ReachServer;
import bt.record.Reached;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
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

    /** So long before the silence is over another server is asked, which may take three seconds, and is heard with the next look. */
    private static final long OPINION_MILLIS = 5_000;

    private final Membership membership;
    private final Lock reign;
    private final Graves graves;
    private final Network network;
    private final Scheduler scheduler;
    private final MasterConfig config;
    private final Detours detours;
    private final Map<Member, Silence> silent = new HashMap<>();

    /** Those that were taken for dead. */
    private final FewAMinute taken = new FewAMinute();

    /** How often a witness was asked. */
    private int questions;

    /** When the servers were asked last. */
    private long askedNanos;

    Deaths(
            Membership membership,
            Lock reign,
            Graves graves,
            Network network,
            Scheduler scheduler,
            MasterConfig config,
            Detours detours) {
        this.membership = membership;
        this.reign = reign;
        this.graves = graves;
        this.network = network;
        this.scheduler = scheduler;
        this.config = config;
        this.detours = detours;
    }

    /** The answer; empty when the message is for somebody else. */
    Optional<SpecificRecord> hear(SpecificRecord message) throws BigtableException {
        if (!(message instanceof ProcessExited exited)) {
            return Optional.empty();
        }
        if (!exited.getProcess().isEmpty()) {
            hasEnded(exited.getProcess());
        }
        return Optional.of(new Done());
    }

    /** Whose session has ended before this is told waits for its lease no longer. */
    private void hasEnded(String process) throws BigtableException {
        Optional<Member> member = membership.inProcess(process);
        member.or(() -> membership.departed(process)).ifPresent(dead -> graves.prove(dead.epoch()));
        if (member.isPresent()) {
            membership.declareDeadWithItsLock(member.get(), reign, "is in a process that has ended");
            // Not only when a pass comes to its tablets: the file store takes seconds for it.
            graves.dig(member.get().epoch());
        }
    }

    /** The servers are about to be asked. */
    void asking() {
        askedNanos = scheduler.clock().nanos();
    }

    /** Counts who has not answered; true when one was taken for dead. */
    boolean look(Sight sight) throws BigtableException {
        graves.looked(sight);
        boolean any = false;
        silent.keySet().retainAll(sight.living());
        silent.keySet().removeAll(sight.answered().keySet());
        detours.retain(silent.keySet());
        for (Member member : sight.living()) {
            if (!sight.answered().containsKey(member)) {
                Silence silence = silent.computeIfAbsent(member, first -> new Silence(askedNanos));
                silence.polls++;
                any |= judge(member, silence, sight);
            }
        }
        return any;
    }

    /** The other server is asked while the silence lasts: it may wait for the silent one as long as we did. */
    private boolean judge(Member member, Silence silence, Sight sight) throws BigtableException {
        long now = scheduler.clock().nanos();
        long silentMillis = (now - silence.sinceNanos) / 1_000_000;
        if (silence.opinion != null && !silence.opinion.counts(sight, now)) {
            silence.opinion = null;
        }
        if (silence.opinion == null && silentMillis >= config.silenceMillis() - OPINION_MILLIS) {
            witness(sight).ifPresent(witness -> silence.opinion = ask(witness, member));
        }
        if (silence.polls < SILENT_POLLS || silentMillis < config.silenceMillis()) {
            return false;
        }
        Opinion opinion = silence.opinion;
        if (opinion == null) {
            // Nobody else sees it.
            silent.put(member, new Silence(now));
            return false;
        }
        if (opinion.seen().isEmpty()) {
            return false;
        }
        Seen seen = opinion.seen().get();
        if (seen == Seen.SILENT) {
            return mayTakeAnother(sight) && takeForDead(member, opinion.witness());
        }
        if (seen == Seen.ANSWERS) {
            // It is we who do not see it.
            detours.add(member, opinion.witness());
        }
        silent.put(member, new Silence(now));
        return false;
    }

    /** Another each time: one that cannot tell must not be asked for ever. */
    private Optional<Member> witness(Sight sight) {
        List<Member> witnesses = List.copyOf(sight.answered().keySet());
        return witnesses.isEmpty()
                ? Optional.empty()
                : Optional.of(witnesses.get(Math.floorMod(questions++, witnesses.size())));
    }

    private boolean mayTakeAnother(Sight sight) {
        return taken.hasRoom(sight.living().size(), scheduler.clock().nanos());
    }

    private boolean takeForDead(Member member, Member witness) throws BigtableException {
        membership.declareDeadWithItsLock(member, reign, "holds its lock, but answers neither us nor " + witness.id());
        taken.add(member, scheduler.clock().nanos());
        return true;
    }

    /** What a witness says of a server. Who cannot tell, or does not answer, lets nobody be taken for dead, and for living neither. */
    private enum Seen {
        ANSWERS,
        SILENT,
        UNKNOWN
    }

    /** Whether the witness reaches the silent one. */
    private Opinion ask(Member witness, Member silent) {
        ReachServer question = new ReachServer(silent.address().toString(), silent.epoch());
        CompletableFuture<Seen> seen = network.send(
                        witness.address(), new Request.Control(question), config.requestMillis())
                .handle((answer, unknown) -> {
                    if (unknown != null) {
                        log.warn(
                                "{} cannot say whether {} answers: {}",
                                witness.id(),
                                silent.id(),
                                Failures.unwrap(unknown).getMessage());
                    }
                    if (answer instanceof Answer.Control control && control.message() instanceof Reached says) {
                        return says.getAnswers() ? Seen.ANSWERS : Seen.SILENT;
                    }
                    return Seen.UNKNOWN;
                });
        return new Opinion(witness, seen, scheduler.clock().nanos());
    }

    private record Opinion(Member witness, CompletableFuture<Seen> said, long askedNanos) {
        /**
         * While its witness still answers us, and for as long as it may take until the silence is over: of a master that is
         * cut off by now what was seen before says nothing.
         */
        boolean counts(Sight sight, long nowNanos) {
            return sight.answered().containsKey(witness)
                    && nowNanos - askedNanos < 2 * TimeUnit.MILLISECONDS.toNanos(OPINION_MILLIS);
        }

        /** Empty until it is given. */
        Optional<Seen> seen() {
            return said.isDone() ? Optional.of(said.join()) : Optional.empty();
        }
    }

    /** From the first question that was not answered in the time that a poll has. */
    private static final class Silence {
        private final long sinceNanos;
        private int polls;
        private @Nullable Opinion opinion;

        private Silence(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }
}
