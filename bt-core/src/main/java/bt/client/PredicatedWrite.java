package bt.client;

import bt.model.Change;
import bt.model.ConditionalMutation;
import bt.model.RowMutation;
import bt.protocol.Condition;
import java.util.List;

/** A {@link ConditionalMutation} as it goes over the wire, where there is always something to do when the condition holds. */
record PredicatedWrite(RowMutation mutation, Condition condition) {
    static PredicatedWrite of(ConditionalMutation mutation) {
        boolean wanted = !mutation.passes().isEmpty();
        List<Change> first = wanted ? mutation.passes() : mutation.otherwise();
        List<Change> second = wanted ? mutation.otherwise() : List.of();
        return new PredicatedWrite(
                new RowMutation(mutation.row(), first), new Condition.Passes(mutation.predicate(), wanted, second));
    }
}
