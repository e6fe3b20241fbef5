package bt.simulation;

import bt.testing.Asked;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The seeds of a campaign: 1 and those that follow. {@code -Dseeds=N} says how many, {@code -Dfrom=N} where they begin,
 * {@code -Dseed=N} is that one alone.
 */
final class Seeds {
    private Seeds() {}

    static LongStream of(Asked asked, int usual) {
        OptionalLong only = asked.number("seed");
        long from = asked.number("from").orElse(1);
        long number = asked.number("seeds", 1, Integer.MAX_VALUE).orElse(usual);
        return only.isPresent() ? LongStream.of(only.getAsLong()) : LongStream.range(from, from + number);
    }
}
