package bt.examples.chaos;

import bt.base.BigtableException;
import java.util.function.BooleanSupplier;

/** How a client takes what a cluster under fire may tell it, and what no fire excuses. */
final class Answers {
    private Answers() {}

    /** Something a client does. */
    @FunctionalInterface
    interface Doing {
        void run() throws BigtableException;
    }

    /** A write: afterwards its outcome is known, or known to be unknown. */
    enum Outcome {
        APPLIED,
        REFUSED,
        UNKNOWN
    }

    /**
     * Does it and tallies what was told. {@code mayBeRejected}, asked afterwards: whether a quota may have been reached; else REJECTED
     * is an anomaly, as CORRUPTION is: no client of a sound table is ever told of either.
     */
    static Outcome write(String what, BooleanSupplier mayBeRejected, Tally tally, Doing doing) {
        try {
            doing.run();
            tally.acknowledged();
            return Outcome.APPLIED;
        } catch (BigtableException failed) {
            complain(what, mayBeRejected.getAsBoolean(), tally, failed);
            if (failed.outcome() == BigtableException.Outcome.UNKNOWN) {
                tally.unknown();
                return Outcome.UNKNOWN;
            }
            tally.refused();
            return Outcome.REFUSED;
        }
    }

    /** A read that failed, which may be as long as it says that it is for lack of somebody to answer. */
    static void complain(String what, boolean mayBeRejected, Tally tally, BigtableException failed) {
        boolean excused =
                switch (failed.kind()) {
                    case UNAVAILABLE, OVERLOADED -> true;
                    case REJECTED -> mayBeRejected;
                    case CORRUPTION, FENCED -> false;
                };
        if (excused && failed.kind() == BigtableException.Kind.REJECTED) {
            tally.rejected();
        }
        if (!excused) {
            tally.anomaly(what + " was told " + failed.kind() + ": " + failed.getMessage());
        }
    }
}
