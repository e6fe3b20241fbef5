package bt.simulation;

import java.util.List;
import java.util.stream.LongStream;

/** The process that lives some seeds for another, and prints what came of each. */
public final class SeedTraces {
    private SeedTraces() {}

    /** The first seed, and the last. */
    public static void main(String[] arguments) {
        of(Long.parseLong(arguments[0]), Long.parseLong(arguments[1])).forEach(System.out::println);
    }

    /** A line for each seed: everything that happened, as one number. */
    static List<String> of(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(seed -> "the trace of seed " + seed + " is "
                        + Life.live(seed, Script.drawn(seed)).trace())
                .toList();
    }
}
