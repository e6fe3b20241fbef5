package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Retry;
import bt.client.Session.Waiting;

/**
 * Whether a change of the cluster may have been made although it failed: by an attempt before the last, of which nobody has
 * heard, or because what failed comes after it. One thread.
 */
final class Doubt {
    private boolean there;

    boolean isThere() {
        return there;
    }

    /** From now on the change may have been made, whatever comes. */
    void raise() {
        there = true;
    }

    /** Attempts the change until it is made. Where it is not, the outcome is that of all attempts together. */
    <T> T run(Retry retry, String subject, Retry.Attempt<T> attempt) throws BigtableException, InterruptedException {
        try {
            return retry.run(subject, deadline -> watch(attempt, deadline));
        } catch (BigtableException last) {
            throw there ? unknown(last.getMessage(), last) : last;
        }
    }

    private <T> T watch(Retry.Attempt<T> attempt, Deadline deadline) throws BigtableException, InterruptedException {
        try {
            return attempt.run(deadline);
        } catch (BigtableException failed) {
            there |= failed.outcome() == Outcome.UNKNOWN;
            throw failed;
        }
    }

    /** What follows a change that was made, which is told by whatever fails of it. */
    static <T> T after(String done, Waiting<T> rest) throws BigtableException, InterruptedException {
        try {
            return rest.run();
        } catch (BigtableException failed) {
            throw unknown(done + ": " + failed.getMessage(), failed);
        }
    }

    private static BigtableException unknown(String message, BigtableException failed) {
        if (failed.outcome() == Outcome.UNKNOWN && message.equals(failed.getMessage())) {
            return failed;
        }
        return failed.unknown(message);
    }
}
