package bt.shell.transfer;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** What an import could not write, told as one. */
public final class Unwritten {
    private Unwritten() {}

    /** What ends an import, if it is that something was not written, and what is suppressed in it; empty where all was. */
    public static Optional<BigtableException> of(Throwable end) {
        return Stream.concat(Stream.of(end), Arrays.stream(end.getSuppressed()))
                .filter(BigtableException.class::isInstance)
                .map(BigtableException.class::cast)
                .reduce(Unwritten::both);
    }

    /** Of the first's kind, and of unknown outcome where one of them is. */
    static BigtableException both(BigtableException first, BigtableException second) {
        String message = first.getMessage() + "; and " + second.getMessage();
        return first.outcome() == Outcome.UNKNOWN || second.outcome() == Outcome.UNKNOWN
                ? first.unknown(message)
                : BigtableException.of(first.kind(), message, Outcome.NOT_APPLIED, 0)
                        .causedBy(first);
    }
}
