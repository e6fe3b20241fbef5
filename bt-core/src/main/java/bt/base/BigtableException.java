package bt.base;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to a healthy program on a bad day. Callers decide by {@link #kind}, never by text. The message is one
 * line that can be printed: subject, fact, numbers, and what to do where the caller can do something. The paper has
 * nothing of what a call may fail with.
 */
public abstract sealed class BigtableException extends IOException
        permits CorruptionException, UnavailableException, OverloadedException, RejectedException, FencedException {
    /** Set while one is made that needs no stack: the constructor that leaves it off is one that an IOException does not have. */
    private static final ThreadLocal<Boolean> BARE = new ThreadLocal<>();

    private final Outcome outcome;
    private @Nullable Advice advice;

    BigtableException(String message, Outcome outcome) {
        super(Messages.oneLine(message));
        this.outcome = outcome;
    }

    /** Which of the five it is: what a caller decides by. */
    public abstract Kind kind();

    /** Never null: there is none without. */
    @Override
    public final String getMessage() {
        return advice == null ? fact() : fact() + ": " + advice.words();
    }

    /** The message without what whoever has given up says there is to do: for who passes it to one that tries again. */
    public final String fact() {
        return requireNonNull(super.getMessage());
    }

    /** What the message ends with. */
    final Optional<Advice> advice() {
        return Optional.ofNullable(advice);
    }

    /** The same error, of which the message ends with this. Before anybody else has it. */
    final BigtableException advising(Advice wanted) {
        advice = wanted;
        return this;
    }

    /**
     * The same with this message and of unknown outcome, caused by this one. What was OVERLOADED is UNAVAILABLE then, for that would be
     * to promise that nothing was changed.
     */
    public final BigtableException unknown(String message) {
        Kind kind = kind() == Kind.OVERLOADED ? Kind.UNAVAILABLE : kind();
        return of(kind, message, Outcome.UNKNOWN, 0).causedBy(this);
    }

    /** The same with this subject in front of its message, caused by this one: for who adds what those below do not know. */
    public final BigtableException about(String subject) {
        return like(subject + ": " + fact(), outcome);
    }

    /** The same where nothing was sent, so nothing was applied, whatever the look that failed says. */
    public final BigtableException notApplied() {
        return outcome == Outcome.NOT_APPLIED ? this : like(fact(), Outcome.NOT_APPLIED);
    }

    /** The same with what there is to do where that is true of all of its kind, whoever tells it. */
    public final BigtableException advised() {
        return kind() == Kind.CORRUPTION && advice == null
                ? like(fact(), outcome).advising(Advice.MEND)
                : this;
    }

    /**
     * The same without its stack and its cause, which take several times as much memory as all else: for who keeps one for each of thousands
     * of writes until it is told.
     */
    public final BigtableException bare() {
        BARE.set(true);
        try {
            return copy(fact(), outcome);
        } finally {
            BARE.remove();
        }
    }

    @Override
    public final synchronized Throwable fillInStackTrace() {
        return BARE.get() == null ? super.fillInStackTrace() : this;
    }

    private BigtableException like(String message, Outcome wanted) {
        return copy(message, wanted).causedBy(this);
    }

    private BigtableException copy(String message, Outcome wanted) {
        long retryAfter = this instanceof OverloadedException overloaded ? overloaded.retryAfterMillis() : 0;
        BigtableException copy = of(kind(), message, wanted, retryAfter);
        return advice == null ? copy : copy.advising(advice);
    }

    /** What became of the write that failed; of a read it says nothing. */
    public final Outcome outcome() {
        return outcome;
    }

    /** The same error from this side, with what caused it on the other. */
    public final BigtableException causedBy(Throwable cause) {
        initCause(cause);
        return this;
    }

    /** Makes the exception that stands for a kind that came over the wire. */
    public static BigtableException of(Kind kind, String message, Outcome outcome, long retryAfterMillis) {
        return switch (kind) {
            case CORRUPTION -> new CorruptionException(message, outcome);
            case UNAVAILABLE -> new UnavailableException(message, outcome);
            case OVERLOADED -> new OverloadedException(message, retryAfterMillis);
            case REJECTED -> new RejectedException(message, outcome);
            case FENCED -> new FencedException(message, outcome);
        };
    }

    /** The five kinds. Their numbers are on the wire and never change. */
    public enum Kind {
        /** Stop using that file. */
        CORRUPTION(1),
        /** Locate again and retry. */
        UNAVAILABLE(2),
        /** Retry later. */
        OVERLOADED(3),
        /** The caller's mistake: a retry fails the same way. */
        REJECTED(4),
        /** We lost our lock: stop serving. */
        FENCED(5);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** As it is on the wire. */
        public int number() {
            return number;
        }
    }

    /** What is known of a write that failed. */
    public enum Outcome {
        NOT_APPLIED,
        /** It may have happened, or may yet happen. */
        UNKNOWN
    }
}
