package bt.protocol;

import bt.model.RowMutation;
import java.util.Optional;

/** A mutation with the number that makes it happen once, and what must hold for it to happen at all. */
public record Write(RowMutation mutation, WriteId id, Optional<Condition> condition) {}
