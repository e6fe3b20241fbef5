package bt.examples.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Which faults happen when: they follow from the seed and the length alone. Faults come in rounds of one to three that
 * overlap, each of another kind of thing, so that of each some are left; and every kind comes before any comes again.
 */
record Plan(List<Strike> strikes) {
    private static final int MOST_TOGETHER = 3;
    private static final int SPREAD_MILLIS = 1_500;
    private static final int MOST_REST_MILLIS = 4_000;

    /** A plan of so much is dealt until it has all kinds. */
    private static final long ALL_MILLIS = 120_000;

    Plan {
        strikes = List.copyOf(strikes);
    }

    /**
     * So many milliseconds of faults of these kinds, one round at least; from {@value #ALL_MILLIS} on of all of them, for which the last may
     * begin later.
     */
    static Plan of(long seed, long millis, List<FaultKind> kinds) {
        // Its numbers are specified, so a seed means the same with every JDK.
        Random random = new Random(seed);
        Deque<FaultKind> deck = new ArrayDeque<>();
        List<Strike> strikes = new ArrayList<>();
        int least = millis < ALL_MILLIS ? 1 : kinds.size();
        for (long at = 0; at < millis || strikes.size() < least; ) {
            List<Strike> round = round(at, deck, random, kinds);
            strikes.addAll(round);
            at = round.stream().mapToLong(Strike::endMillis).max().orElse(at) + random.nextInt(MOST_REST_MILLIS);
        }
        return new Plan(strikes);
    }

    /** When the last of them should begin, from the begin of the plan. */
    long lastMillis() {
        return strikes.stream().mapToLong(Strike::atMillis).max().orElse(0);
    }

    /** All there are. */
    static Plan of(long seed, long millis) {
        return of(seed, millis, Arrays.asList(FaultKind.values()));
    }

    private static List<Strike> round(long at, Deque<FaultKind> deck, Random random, List<FaultKind> kinds) {
        List<Strike> round = new ArrayList<>();
        int together = 1 + random.nextInt(MOST_TOGETHER);
        for (int i = 0; i < together; i++) {
            if (deck.isEmpty()) {
                List<FaultKind> all = new ArrayList<>(kinds);
                Collections.shuffle(all, random);
                deck.addAll(all);
            }
            Optional<FaultKind> next = deck.stream()
                    .filter(kind ->
                            round.stream().noneMatch(strike -> strike.kind().meets(kind)))
                    .findFirst();
            if (next.isPresent()) {
                deck.remove(next.get());
                long begin = at + random.nextInt(SPREAD_MILLIS);
                round.add(new Strike(
                        next.get(), begin, next.get().drawMillis(random), random.nextInt(Integer.MAX_VALUE)));
            }
        }
        return round;
    }
}
