package bt.examples.paper;

import static bt.base.Check.checkArgument;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The central scheduler of section 7 of the paper: the space of row keys in ten equal ranges for each client, of which
 * everybody gets the next one as soon as he is done with the last. Any thread.
 */
final class Ranges {
    private static final int OF_A_CLIENT = 10;

    private final long first;
    private final long rows;
    private final int ranges;
    private final int passes;
    private final AtomicInteger given = new AtomicInteger();

    /** From a row on so many, gone through as often as {@code passes} says. */
    Ranges(long first, long rows, int clients, int passes) {
        checkArgument(rows > 0 && clients > 0 && passes > 0, "%d rows for %d clients, %d times", rows, clients, passes);
        this.first = first;
        this.rows = rows;
        this.ranges = (int) Math.min(rows, (long) OF_A_CLIENT * clients);
        this.passes = passes;
    }

    /** Rows of one range, from the first to before the last. */
    record Range(long from, long to) {}

    Optional<Range> next() {
        long number = given.getAndIncrement();
        if (number >= (long) ranges * passes) {
            return Optional.empty();
        }
        long at = number % ranges;
        return Optional.of(new Range(first + rows * at / ranges, first + rows * (at + 1) / ranges));
    }
}
