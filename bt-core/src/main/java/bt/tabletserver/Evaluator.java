package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.protocol.Condition;
import bt.protocol.Condition.Newest;
import bt.protocol.Condition.Passes;
import bt.protocol.Condition.Seen;
import bt.protocol.Condition.Shows;
import bt.protocol.Write;
import bt.tablet.MutationCheck;
import bt.tablet.Shown;
import bt.tablet.Tablet;
import bt.tablet.TimestampCheck;
import bt.tabletserver.Evaluation.Apply;
import bt.tabletserver.Evaluation.Decision;
import bt.tabletserver.Evaluation.Leave;
import bt.tabletserver.Evaluation.Refuse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides what becomes of a write whose condition or changes depend on its row (section 3 of the paper: atomic
 * read-modify-write sequences on one row). One write; one thread.
 */
final class Evaluator {
    private static final long HELD = 1;
    private static final long DID_NOT_HOLD = 0;

    private final Tablet tablet;
    private final Write write;
    private final RowSight row;
    private final Optional<TableUser> user;
    private final long nowMicros;

    private Evaluator(Tablet tablet, Write write, Optional<TableUser> user, long nowMicros) {
        this.tablet = tablet;
        this.write = write;
        this.row = new RowSight(tablet, write.mutation().row());
        this.user = user;
        this.nowMicros = nowMicros;
    }

    /** The user, where there is anything to look at, has the rights for the write; its filters see what a read would. */
    static Evaluation evaluate(Tablet tablet, Write write, Optional<TableUser> user, long nowMicros)
            throws BigtableException {
        // Before the read: what the read sees beyond this point then counts as a change, and is looked at again.
        long readPoint = tablet.readPoint();
        return new Evaluation(new Evaluator(tablet, write, user, nowMicros).decide(), readPoint);
    }

    /** What is REJECTED is decided, not failed: it may be a retry of what was done already, which is known where it is carried out. */
    private Decision decide() throws BigtableException {
        try {
            return decided();
        } catch (RejectedException refused) {
            return new Refuse(refused);
        }
    }

    private Decision decided() throws BigtableException {
        if (write.condition().isEmpty()) {
            return apply(write.mutation(), OptionalLong.empty());
        }
        checkBranches();
        Condition condition = write.condition().get();
        return switch (condition.kind()) {
            case NEWEST -> newest((Newest) condition);
            case PASSES -> passes((Passes) condition);
            case SHOWS ->
                showsAll((Shows) condition) ? apply(write.mutation(), OptionalLong.of(HELD)) : new Leave(DID_NOT_HOLD);
        };
    }

    /** Both, before it is known which is carried out: whether a write is taken does not hang on what its row holds. */
    private void checkBranches() throws RejectedException {
        check(write.mutation());
        if (write.otherwise().isPresent()) {
            check(write.otherwise().get());
        }
    }

    private void check(RowMutation mutation) throws RejectedException {
        TimestampCheck.check(mutation, tablet.schema());
        MutationCheck.check(mutation, tablet.schema());
    }

    private Decision newest(Newest condition) throws BigtableException {
        if (condition.column().qualifier().length() > Limits.NAMED_QUALIFIER_BYTES) {
            throw rejected(
                    "a condition on a column with a qualifier of "
                            + condition.column().qualifier().length() + " bytes, at most "
                            + Limits.NAMED_QUALIFIER_BYTES + " are read by name",
                    "use a filter for the condition, or a shorter qualifier");
        }
        Optional<Bytes> value = Optional.ofNullable(
                        row.newest(List.of(condition.column())).get(condition.column()))
                .map(Cell::value);
        if (!value.equals(condition.value())) {
            throw rejected(
                    "the condition on " + condition.column().brief() + " does not hold",
                    "read the row, and decide again");
        }
        return apply(write.mutation(), OptionalLong.empty());
    }

    private Decision passes(Passes condition) throws BigtableException {
        boolean passed = row.passes(condition.filter(), shown(condition.filter()));
        long answer = passed ? HELD : DID_NOT_HOLD;
        Optional<RowMutation> chosen = passed == condition.wanted() ? Optional.of(write.mutation()) : write.otherwise();
        return chosen.isPresent() ? apply(chosen.get(), OptionalLong.of(answer)) : new Leave(answer);
    }

    private boolean showsAll(Shows condition) throws BigtableException {
        for (Seen seen : condition.seen()) {
            // Each as it was read, by itself: what a script is not shown, another filter may be.
            if (!row.digest(seen.filter(), shown(seen.filter())).equals(seen.digest())) {
                return false;
            }
        }
        return true;
    }

    private Shown shown(Filter filter) throws RejectedException {
        return user.isEmpty() ? Shown.ALL : user.get().shown(filter);
    }

    private Decision apply(RowMutation mutation, OptionalLong answer) throws BigtableException {
        if (!mutation.readsRow()) {
            return new Apply(mutation, mutation, answer);
        }
        try {
            Dependent dependent = Dependent.of(mutation, row, nowMicros);
            return new Apply(mutation, dependent.mutation(), answer.isPresent() ? answer : dependent.answer());
        } catch (IllegalArgumentException refused) {
            throw RejectedException.of(subject(), refused, "correct the mutation");
        }
    }

    private RejectedException rejected(String fact, String advice) {
        return new RejectedException(subject() + ": " + fact, advice);
    }

    private String subject() {
        return "table " + tablet.schema().name() + " row "
                + write.mutation().row().brief();
    }
}
