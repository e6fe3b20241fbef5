package bt.protocol;

import bt.model.RowMutation;
import java.util.Optional;

/** A mutation with the number that makes it happen once, and what must hold for it to happen at all. */
public record Write(RowMutation mutation, WriteId id, Optional<Condition> condition) {
    public Write {
        // What is done otherwise is a mutation as well, if it is anything.
        condition.ifPresent(present -> otherwise(mutation, present));
    }

    /** The mutation for when the condition does not hold. */
    public Optional<RowMutation> otherwise() {
        return condition.flatMap(present -> otherwise(mutation, present));
    }

    /** Whether what is to be written cannot be told without the row. */
    public boolean readsRow() {
        return condition.isPresent() || mutation.readsRow();
    }

    /** Of the row key, and of the qualifiers and values of all that it may do. */
    long bytes() {
        return mutation.bytes()
                + otherwise().map(other -> other.bytes() - other.row().length()).orElse(0L);
    }

    /** All that it may do. */
    int changes() {
        return mutation.changes().size()
                + otherwise().map(other -> other.changes().size()).orElse(0);
    }

    private static Optional<RowMutation> otherwise(RowMutation mutation, Condition condition) {
        return condition instanceof Condition.Passes passes
                        && !passes.otherwise().isEmpty()
                ? Optional.of(new RowMutation(mutation.row(), passes.otherwise()))
                : Optional.empty();
    }
}
