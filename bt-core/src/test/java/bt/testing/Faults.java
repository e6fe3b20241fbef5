package bt.testing;

import java.util.random.RandomGenerator;

/** Decides what goes wrong with each operation of a {@link FaultyFileStore}. Asked by any thread. */
@FunctionalInterface
public interface Faults {
    Fault next(FileOperation operation, String path);

    /** It was done, whatever whoever asked for it is told. */
    default void done(FileOperation operation, String path) {}

    /** Nothing goes wrong. */
    Fault NONE = new Fault(0, Failure.NONE);

    /**
     * So many operations of a thousand fail, half of them after they were done; as many again are late.
     *
     * @param random one that threads may share, as {@link java.util.Random} is
     */
    static Faults seeded(RandomGenerator random, int perThousand, long maxDelayMillis) {
        return (operation, path) -> {
            int draw = random.nextInt(1000);
            long delayMillis = random.nextLong(maxDelayMillis + 1);
            if (draw < perThousand) {
                return new Fault(0, draw % 2 == 0 ? Failure.INSTEAD : Failure.AFTERWARDS);
            }
            return draw < 2 * perThousand ? new Fault(delayMillis, Failure.NONE) : NONE;
        };
    }

    /** What goes wrong with one operation: it begins late, it fails, or both. */
    record Fault(long delayMillis, Failure failure) {}

    /** When an operation fails. */
    enum Failure {
        NONE,
        /** It was never tried. */
        INSTEAD,
        /** The file system answers that it takes nothing now, from anybody. */
        REFUSED,
        /** It was done, and nobody is told. */
        AFTERWARDS
    }
}
