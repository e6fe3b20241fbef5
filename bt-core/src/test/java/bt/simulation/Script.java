package bt.simulation;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.testing.CrashPoint;
import bt.testing.SimSizes;
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
 * @param splits where the table is split from the beginning
 * @param doom where somebody dies in any case, whatever the trouble
 */
record Script(
        Clients clients,
        int troubles,
        List<Trouble> kinds,
        SimSizes sizes,
        List<Bytes> splits,
        Optional<CrashPoint> doom) {
    static final Script DEFAULT = new Script(
            new Clients(4, 0, 40, 700, Load.EVEN),
            7,
            List.copyOf(Trouble.all()),
            SimSizes.flushing(12_000),
            Layout.SPLITS,
            Optional.empty());

    /** Much is written, and nobody dies: logs become longer than servers let them. */
    static final Script LONG_LOGS = new Script(
            new Clients(5, 0, 100, 150, Load.HOT),
            5,
            List.of(Trouble.SHORT_PAUSE, Trouble.CLOCK),
            SimSizes.flushing(12_000).withSegmentBytes(20_000).withMemtableBytes(80_000, 50_000),
            Layout.MANY_SPLITS,
            Optional.empty());

    /** Little goes wrong, and a server dies in the end: others change METADATA then, and one of them dies once that is done. */
    static final Script CHANGED = new Script(
            DEFAULT.clients,
            2,
            List.of(Trouble.SHORT_PAUSE, Trouble.CLOCK),
            DEFAULT.sizes,
            DEFAULT.splits,
            Optional.of(CrashPoint.AFTER_METADATA_CHANGES));

    /** Of the seeds so many have each of these two. */
    private static final int RARE_ONE_OF = 20;

    private static final int FIRST_LONG_LOGS = 9;
    private static final int FIRST_CHANGED = 19;

    /** The first are less than a memtable takes that has anything. */
    private static final List<Long> FLUSH_BYTES = List.of(800L, 6_000L, 12_000L, 12_000L, 40_000L);

    private static final List<Long> SEGMENT_BYTES = List.of(4_000L, 20_000L, 100_000L);

    /**
     * Who uses the cluster, how much.
     *
     * @param readers so many of the clients, the first, only read
     * @param operations of each client
     * @param pauseMillis between two of them, at most
     */
    record Clients(int number, int readers, int operations, long pauseMillis, Load load) {
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

    /**
     * What an operation is like.
     *
     * @param paddingBytes of what is written, at most
     * @param hotPercent how many of a hundred operations are of the first account, beside those that fall to it anyway
     */
    record Load(int paddingBytes, int hotPercent) {
        static final Load EVEN = new Load(600, 0);

        /** Much is written to one tablet, and little to those that share a log with it. */
        static final Load HOT = new Load(24_000, 80);

        Load {
            checkArgument(
                    paddingBytes > 0 && hotPercent >= 0 && hotPercent <= 100,
                    "%d bytes, %d of a hundred times in one row",
                    paddingBytes,
                    hotPercent);
        }
    }

    Script {
        kinds = List.copyOf(kinds);
        splits = List.copyOf(splits);
    }

    /**
     * Another for each seed. Of the kinds of trouble some only: who meets a few of them again and again comes into states
     * that nobody reaches who meets all of them. Even seeds that follow each other come by every point of a crash. What is
     * rare whatever is drawn has seeds of its own.
     */
    static Script drawn(long seed) {
        return switch (Math.floorMod(seed, RARE_ONE_OF)) {
            case FIRST_LONG_LOGS -> LONG_LOGS;
            case FIRST_CHANGED -> CHANGED;
            default -> usual(seed);
        };
    }

    private static Script usual(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        List<Trouble> kinds = new ArrayList<>(Trouble.all());
        Collections.shuffle(kinds, new Random(seed));
        int most = 3 + random.nextInt(kinds.size() - 2);
        boolean hurries = random.nextInt(3) == 0;
        boolean hasLongLogs = random.nextInt(3) == 0;
        Clients clients = new Clients(
                3 + random.nextInt(3),
                random.nextInt(2),
                hurries || hasLongLogs ? 60 : 30,
                hurries ? 150 : 700,
                hasLongLogs ? Load.HOT : Load.EVEN);
        return new Script(
                clients,
                5 + random.nextInt(5),
                kinds.subList(0, most),
                drawnSizes(random, hasLongLogs),
                hasLongLogs ? Layout.MANY_SPLITS : Layout.SPLITS,
                drawnDoom(seed));
    }

    /**
     * With long logs, the memtables' share is so small that the logs become longer than servers let them, and so large that
     * it is not memory that makes files of the memtables which keep them long.
     */
    private static SimSizes drawnSizes(RandomGenerator random, boolean hasLongLogs) {
        long segmentBytes = SEGMENT_BYTES.get(random.nextInt(SEGMENT_BYTES.size()));
        long flushBytes = FLUSH_BYTES.get(random.nextInt(FLUSH_BYTES.size()));
        SimSizes sizes = SimSizes.flushing(hasLongLogs ? 12_000 : flushBytes).withSegmentBytes(segmentBytes);
        return hasLongLogs
                ? sizes.withMemtableBytes(80_000 + random.nextInt(40_000), 25_000 + random.nextInt(75_000))
                : sizes;
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
        return new Script(clients, number, List.of(wanted), sizes, splits, doom);
    }

    /** Somebody dies there in any case. */
    Script doomed(CrashPoint point) {
        return new Script(clients, troubles, kinds, sizes, splits, Optional.of(point));
    }

    /** Clients do more, and hardly pause. */
    Script busy() {
        return with(new Clients(clients.number(), clients.readers(), 6 * clients.operations(), 140, clients.load()));
    }

    Script with(Clients others) {
        return new Script(others, troubles, kinds, sizes, splits, doom);
    }

    Script flushing(long bytes) {
        return with(sizes.withFlushBytes(bytes));
    }

    Script segments(long bytes) {
        return with(sizes.withSegmentBytes(bytes));
    }

    private Script with(SimSizes others) {
        return new Script(clients, troubles, kinds, others, splits, doom);
    }
}
