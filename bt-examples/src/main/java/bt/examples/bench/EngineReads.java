package bt.examples.bench;

import bt.examples.bench.Engine.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.HdrHistogram.Histogram;

/** Gets and scans of what was loaded before, into one file of each system. One thread. */
final class EngineReads {
    static final String CACHED = "get-cached";
    static final String ABSENT = "get-absent";
    static final String DISK = "get-disk";
    static final String SCAN = "scan";

    /** So large that a load is one memtable, and then one file. */
    private static final long ONE_MEMTABLE = 3L << 30;

    /** Of what lies on disk, the block cache of {@link #DISK} takes one part in so many. */
    private static final int NOT_CACHED = 32;

    private static final long SEED = 2006;

    private final Systems systems;
    private final Sizing sizing;
    private final Rounds rounds;

    EngineReads(Systems systems, Sizing sizing, Rounds rounds) {
        this.systems = systems;
        this.sizing = sizing;
        this.rounds = rounds;
    }

    void run(EngineOptions options, int valueBytes) throws Exception {
        if (rounds.wantsAnyOf(List.of(CACHED, ABSENT, SCAN))) {
            Entries entries = new Entries(sizing.cachedEntries(), valueBytes);
            withBoth(options, entries, engines -> {
                for (Engine engine : engines.values()) {
                    cache(engine, entries);
                }
                gets(CACHED, engines, entries, Session::get);
                gets(ABSENT, engines, entries, Session::misses);
                scans(engines, entries);
            });
        }
        if (rounds.wantsAnyOf(List.of(DISK))) {
            Entries entries = new Entries(sizing.diskEntries(), valueBytes);
            long cacheBytes = (long) entries.count() * entries.entryBytes() / NOT_CACHED;
            withBoth(options.withCache(cacheBytes), entries, engines -> gets(DISK, engines, entries, Session::get));
        }
    }

    /** Gets every entry once, for scans leave the block cache as it is. */
    private void cache(Engine engine, Entries entries) throws Exception {
        rounds.progress().say("reading all entries once from " + engine.system());
        try (Session session = engine.session()) {
            for (int number = 0; number < entries.count(); number++) {
                if (!session.get(number)) {
                    throw new IllegalStateException(engine.system() + ": a wrong answer for entry " + number);
                }
            }
        }
    }

    /** One read; false when its answer is wrong. */
    private interface Read {
        boolean isRight(Session session, int number) throws Exception;
    }

    /** What is done with engines that hold the same, by system. */
    private interface Body {
        void run(Map<String, Engine> engines) throws Exception;
    }

    private void withBoth(EngineOptions options, Entries entries, Body body) throws Exception {
        Map<String, Engine> engines = new LinkedHashMap<>();
        try {
            for (String system : Systems.NAMES) {
                rounds.progress().say("loading " + entries.count() + " entries into " + system);
                Engine engine = systems.open(system, options.withMemtable(ONE_MEMTABLE), entries);
                engines.put(system, engine);
                Systems.load(engine, entries, sizing.batchEntries(), 1);
                // What the load left behind is not for the reads to clean up.
                System.gc();
            }
            body.run(engines);
        } finally {
            for (Engine engine : engines.values()) {
                engine.close();
            }
            systems.clear();
        }
    }

    private void gets(String workload, Map<String, Engine> engines, Entries entries, Read read) throws Exception {
        int bytesPerOp = workload.equals(ABSENT) ? 0 : entries.entryBytes();
        rounds.measure(workload, bytesPerOp, sizing.reads(), (system, crew, round) -> {
            Engine engine = need(engines, system);
            return crew.run((thread, latencies) -> {
                SplittableRandom random = new SplittableRandom(SEED + 31L * round + thread);
                return get(engine, () -> random.nextInt(entries.count()), read, latencies);
            });
        });
    }

    /** Reads for as long as a round lasts; how many. */
    private long get(Engine engine, IntSupplier numbers, Read read, Histogram latencies) throws Exception {
        long ops = 0;
        try (Session session = engine.session()) {
            long now = System.nanoTime();
            long end = now + sizing.reads().roundNanos();
            while (now < end) {
                int number = numbers.getAsInt();
                if (!read.isRight(session, number)) {
                    throw new IllegalStateException(engine.system() + ": a wrong answer for entry " + number);
                }
                long after = System.nanoTime();
                latencies.recordValue(after - now);
                now = after;
                ops++;
            }
        }
        return ops;
    }

    private void scans(Map<String, Engine> engines, Entries entries) throws Exception {
        rounds.measure(SCAN, entries.entryBytes(), sizing.reads(), (system, crew, round) -> {
            Engine engine = need(engines, system);
            return crew.run((thread, latencies) -> scan(engine, entries));
        });
    }

    /** Scans all again and again for as long as a round lasts; how many entries. */
    private long scan(Engine engine, Entries entries) throws Exception {
        long found = 0;
        try (Session session = engine.session()) {
            long end = System.nanoTime() + sizing.reads().roundNanos();
            do {
                long once = session.scan();
                if (once != entries.count()) {
                    throw new IllegalStateException(
                            engine.system() + ": " + once + " entries scanned of " + entries.count());
                }
                found += once;
            } while (System.nanoTime() < end);
        }
        return found;
    }

    private static Engine need(Map<String, Engine> engines, String system) {
        return Objects.requireNonNull(engines.get(system), system);
    }
}
