package bt.master;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Deadline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a master looks at the servers while it stops them. What each look sees is told, for whoever asks meanwhile how far the stop
 * is. Owned by the master's thread.
 */
final class StopLooks {
    private static final Logger log = LoggerFactory.getLogger(StopLooks.class);
    private static final long BETWEEN_MILLIS = 1_000;

    private final Membership membership;
    private final Poll poll;
    private final long masterEpoch;
    private final Clock clock;
    private final BiConsumer<String, Sight> told;
    private String stage = "it begins";
    private Sight last;
    private Deadline next;

    /** With every look {@code told} is told what the stop is at, and what was seen. */
    StopLooks(Ports ports, Sight before, BiConsumer<String, Sight> told) {
        this.membership = ports.membership();
        this.poll = ports.poll();
        this.masterEpoch = ports.masterEpoch();
        this.clock = ports.clock();
        this.last = before;
        this.told = told;
        this.next = Deadline.after(clock, 0);
    }

    /** What a master looks through. */
    record Ports(Membership membership, Poll poll, long masterEpoch, Clock clock) {}

    void begin(String nextStage) {
        stage = nextStage;
        told.accept(stage, last);
    }

    /** Who lives, and what those hold who answer. */
    Sight look() throws BigtableException, InterruptedException {
        next = Deadline.after(clock, BETWEEN_MILLIS);
        Membership.Roll roll = membership.call();
        return see(roll, poll.ask(roll.living(), masterEpoch));
    }

    /** The same for those who ask how far it is, once a second at most; empty where it is not time, or fails. */
    Optional<Sight> lookForOthers() throws InterruptedException {
        if (!next.isOver()) {
            return Optional.empty();
        }
        try {
            return Optional.of(look());
        } catch (BigtableException failed) {
            log.debug("stop: {}", failed.getMessage());
            return Optional.empty();
        }
    }

    /** Who lives: nothing is asked of who is about to end. */
    List<Member> living() throws BigtableException {
        Membership.Roll roll = membership.call();
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>(last.answered());
        answered.keySet().retainAll(roll.living());
        return see(roll, answered).living();
    }

    private Sight see(Membership.Roll roll, Map<Member, Poll.Holdings> answered) {
        last = new Sight(roll.living(), roll.unlocked(), answered, last.draining(), poll.heard());
        told.accept(stage, last);
        return last;
    }
}
