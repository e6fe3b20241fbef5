package bt.simulation;

import static bt.base.Check.checkArgument;

import bt.testing.CrashPoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * How much happens in a simulated life.
 *
 * @param troubles how many, of {@code kinds}; one that is named twice is twice as likely
 * @param flushBytes from how many bytes on a memtable becomes a file
 * @param doom where somebody dies in any case, whatever the trouble
 */
record Script(Clients clients, int troubles, List<Trouble> kinds, long flushBytes, Optional<CrashPoint> doom) {
    static final Script DEFAULT =
            new Script(new Clients(4, 0, 40, 700), 7, List.copyOf(Trouble.all()), 3_000, Optional.empty());

    /**
     * Who uses the cluster, how much.
     *
     * @param readers so many of the clients, the first, only read
     * @param operations of each client
     * @param pauseMillis between two of them, at most
     */
    record Clients(int number, int readers, int operations, long pauseMillis) {
        Clients {
            checkArgument(
                    number > readers && operations > 0 && pauseMillis > 0,
                    "%d clients, %d of which only read, %d operations, %d ms apart",
                    number,
                    readers,
                    operations,
                    pauseMillis);
        }
    }

    Script {
        kinds = List.copyOf(kinds);
    }

    /**
     * Another for each seed. Of the kinds of trouble some only: who meets a few of them again and again comes into states
     * that nobody reaches who meets all of them. Even seeds that follow each other come by every point of a crash.
     */
    static Script drawn(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        List<Trouble> kinds = new ArrayList<>(Trouble.all());
        Collections.shuffle(kinds, new Random(seed));
        int most = 3 + random.nextInt(kinds.size() - 2);
        boolean hurries = random.nextInt(3) == 0;
        Clients clients = new Clients(3 + random.nextInt(3), random.nextInt(2), hurries ? 60 : 30, hurries ? 150 : 700);
        return new Script(
                clients,
                5 + random.nextInt(5),
                kinds.subList(0, most),
                random.nextInt(3) == 0 ? 800 : 3_000,
                drawnDoom(seed));
    }

    /** Every second seed does without, so that what else goes wrong is met alone too. */
    private static Optional<CrashPoint> drawnDoom(long seed) {
        if (Math.floorMod(seed, 2) != 0) {
            return Optional.empty();
        }
        // From the last one on: what comes first in a hundred seeds comes twice, and steps at files are many without
        // it.
        List<CrashPoint> dooms = List.of(CrashPoint.values());
        return Optional.of(dooms.get(dooms.size() - 1 - Math.floorMod(seed / 2, dooms.size())));
    }

    /** With these kinds of trouble alone. */
    Script of(int number, Trouble... wanted) {
        return new Script(clients, number, List.of(wanted), flushBytes, doom);
    }

    /** Clients do more, and hardly pause. */
    Script busy() {
        return with(new Clients(clients.number(), clients.readers(), 6 * clients.operations(), 140));
    }

    Script with(Clients others) {
        return new Script(others, troubles, kinds, flushBytes, doom);
    }

    Script flushing(long bytes) {
        return new Script(clients, troubles, kinds, bytes, doom);
    }
}
