package bt.client;

import bt.base.BigtableException;
import java.util.Optional;

/**
 * What became of one of several writes: what {@link Table#apply(bt.model.RowMutation)} returns, or throws. The paper
 * has no such thing.
 *
 * @param answer 0 where it failed
 */
public record Written(long answer, Optional<BigtableException> failure) {
    static Written of(PendingWrite write) {
        try {
            return new Written(write.answer(), Optional.empty());
        } catch (BigtableException failed) {
            return new Written(0, Optional.of(failed));
        }
    }
}
