package bt.client;

import static bt.base.Check.checkState;
import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.model.Change;
import bt.model.FilterSize;
import bt.model.RowMutation;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A write on its way: open until it was applied or has failed for good. It has a number at each attempt, the same for all
 * from one on that may have been applied, and remembers whether there was one. Owned by the thread that sends it.
 */
final class PendingWrite {
    /** What a mutation or a change costs beside its bytes, roughly. */
    private static final long OVERHEAD_BYTES = 64;

    private final RowMutation mutation;
    private final Optional<Condition> condition;
    private @Nullable WriteId id;
    private boolean inDoubt;
    /** Sent, and neither answered nor failed: a server may have it. */
    private boolean underWay;

    private @Nullable BigtableException failure;
    private boolean open = true;
    private long answer;

    PendingWrite(RowMutation mutation, Optional<Condition> condition) {
        this.mutation = mutation;
        this.condition = condition;
    }

    /** Before it is sent, while it has none; whoever gives the number closes it. */
    PendingWrite numbered(WriteId number) {
        checkState(id == null, "a write to row %s has a number", row());
        id = number;
        return this;
    }

    /** None of its attempts was applied, so the next may have another number: it has none until then. Whoever takes it closes it. */
    WriteId withoutNumber() {
        checkState(!inDoubt && !underWay, "a server may have a write to row %s", row());
        WriteId given = id().orElseThrow();
        id = null;
        return given;
    }

    /** As it is sent, which it is from now on. */
    Write write() {
        underWay = true;
        return new Write(mutation, id().orElseThrow(), condition);
    }

    Bytes row() {
        return mutation.row();
    }

    /** Empty where it was never to be sent, or has given its number back. */
    Optional<WriteId> id() {
        return Optional.ofNullable(id);
    }

    boolean isOpen() {
        return open;
    }

    /** Whether one of the attempts that have failed may have been applied. */
    boolean isInDoubt() {
        return inDoubt;
    }

    /** What the servers answered. */
    void settle(WriteResult result) {
        if (result.failure().isPresent()) {
            fail(result.failure().get());
        } else {
            underWay = false;
            open = false;
            failure = null;
            answer = result.answer();
        }
    }

    /** One attempt failed; the write stays open if another may help. */
    void fail(BigtableException attempt) {
        underWay = false;
        inDoubt |= attempt.outcome() == Outcome.UNKNOWN;
        failure = attempt;
        open = attempt.kind() == Kind.UNAVAILABLE || attempt.kind() == Kind.OVERLOADED;
    }

    /** There will be no other attempt, for this reason. */
    void giveUp(BigtableException reason) {
        if (open) {
            open = false;
            failure = reason;
        }
    }

    /** Nobody waits for it any more: that is what it failed with, as its outcome is, for a server may still have it. */
    void stop(Function<Outcome, BigtableException> reason) {
        if (open) {
            open = false;
            inDoubt |= underWay;
            BigtableException stopped = reason.apply(inDoubt ? Outcome.UNKNOWN : Outcome.NOT_APPLIED);
            failure = failure == null ? stopped : stopped.causedBy(failure);
        }
    }

    /** What its last attempt failed with, if there was one and it is still open. */
    Optional<BigtableException> attempted() {
        return open ? Optional.ofNullable(failure) : Optional.empty();
    }

    /** What the last attempt of a write that is still open failed with. */
    BigtableException lastFailure() {
        checkState(open && failure != null, "a write to row %s has not been tried", row());
        return requireNonNull(failure);
    }

    /** What it failed with in the end, of the outcome that all attempts together have. */
    Optional<BigtableException> failure() {
        checkState(!open, "a write to row %s is still open", row());
        if (failure == null || !inDoubt || (failure.outcome() == Outcome.UNKNOWN && failure.kind() != Kind.REJECTED)) {
            return Optional.ofNullable(failure).map(BigtableException::advised);
        }
        // The last attempt was not applied, an earlier one may have been; or nobody knows. REJECTED would be to promise
        // that nothing was.
        return Optional.of(new UnavailableException(failure.getMessage(), Outcome.UNKNOWN).causedBy(failure));
    }

    long answer() throws BigtableException {
        Optional<BigtableException> failed = failure();
        if (failed.isPresent()) {
            throw failed.get();
        }
        return answer;
    }

    /** What it takes in memory, with what it does otherwise and the filter that decides, roughly. */
    long bytes() {
        long bytes = bytes(mutation);
        if (condition.isPresent() && condition.get() instanceof Condition.Passes passes) {
            bytes += FilterSize.of(passes.filter()).bytes() + bytes(passes.otherwise());
        }
        return bytes;
    }

    /** What one of this mutation takes in memory, roughly. */
    static long bytes(RowMutation mutation) {
        return OVERHEAD_BYTES + mutation.row().length() + bytes(mutation.changes());
    }

    /** The same of changes. */
    static long bytes(List<Change> changes) {
        long bytes = 0;
        for (Change change : changes) {
            bytes += OVERHEAD_BYTES + change.bytes();
        }
        return bytes;
    }
}
