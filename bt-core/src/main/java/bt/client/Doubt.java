package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.client.Session.Waiting;

/** What is told of a change of the cluster that was made, or may have been, though what comes after it fails. */
final class Doubt {
    private Doubt() {}

    /** What follows a change that was made, which is told by whatever fails of it. */
    static <T> T after(String done, Waiting<T> rest) throws BigtableException, InterruptedException {
        try {
            return rest.run();
        } catch (BigtableException failed) {
            throw failed.unknown(done + ": " + failed.getMessage());
        }
    }

    /** What is tried once an attempt at the change has failed: where that may have made it, so says whatever fails now. */
    static <T> T behind(BigtableException attempt, Waiting<T> other) throws BigtableException, InterruptedException {
        try {
            return other.run();
        } catch (BigtableException failed) {
            throw attempt.outcome() == Outcome.UNKNOWN && failed.outcome() == Outcome.NOT_APPLIED
                    ? failed.unknown(failed.getMessage())
                    : failed;
        }
    }
}
