package bt.protocol;

import bt.base.BigtableException;
import java.util.Optional;

/**
 * What became of one write: its answer, or the failure. A write on a condition that may fail is answered whether it held
 * ({@link Condition}). A mutation that is one increment or one append is answered the new count, or the new length of the
 * value; any other the timestamp that the server gave it, 0 if it gave none.
 */
public record WriteResult(long answer, Optional<BigtableException> failure) {
    public static WriteResult applied(long answer) {
        return new WriteResult(answer, Optional.empty());
    }

    public static WriteResult failed(BigtableException failure) {
        return new WriteResult(0, Optional.of(failure));
    }
}
