package bt.base;

import bt.base.BigtableException.Outcome;
import java.util.function.Supplier;

/** Whether the owner of what waits and tries again has ended: then nothing is tried again. Any thread. */
public final class Ending {
    private final String said;
    private final String advice;
    private volatile boolean over;

    /** What is thrown then says this, and what to do. */
    public Ending(String said, String advice) {
        this.said = said;
        this.advice = advice;
    }

    /** From now on it has. */
    public void end() {
        over = true;
    }

    public boolean isOver() {
        return over;
    }

    /** REJECTED once it has. */
    public void check(Supplier<String> subject) throws RejectedException {
        if (over) {
            throw refusal(subject.get());
        }
    }

    /** REJECTED where an attempt has failed of this outcome, and another would help no more. */
    public void check(Supplier<String> subject, BigtableException failed) throws RejectedException {
        if (over) {
            RejectedException failure = failure(subject.get(), failed.outcome());
            failure.initCause(failed);
            throw failure;
        }
    }

    /** What is thrown where it has: nothing was begun. */
    public RejectedException refusal(String subject) {
        return failure(subject, Outcome.NOT_APPLIED);
    }

    private RejectedException failure(String subject, Outcome outcome) {
        return new RejectedException(subject + ": " + said, advice, outcome);
    }
}
