package bt.protocol;

import bt.base.BigtableException;
import java.util.Optional;

/** What became of one write: the timestamp that the server gave it (0 if it gave none), or the failure. */
public record WriteResult(long timestamp, Optional<BigtableException> failure) {
    public static WriteResult applied(long timestamp) {
        return new WriteResult(timestamp, Optional.empty());
    }

    public static WriteResult failed(BigtableException failure) {
        return new WriteResult(0, Optional.of(failure));
    }
}
