package bt.examples.bench;

import bt.examples.bench.Engine.Session;
import bt.examples.bench.Systems.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.HdrHistogram.Histogram;

/** Fills, flushes and compactions; each round begins with empty engines. One thread. */
final class EngineWrites {
    static final String FILL = "fill";
    static final String FILL_LOG = "fill-log";
    static final String FLUSH = "flush";
    static final String COMPACT = "compact";

    private static final int COMPACTED_FILES = 4;

    /** So large that only a flush empties it. */
    private static final long ONE_MEMTABLE = 1L << 30;

    private final Systems systems;
    private final Sizing sizing;
    private final Rounds rounds;
    private final EngineOptions options;

    EngineWrites(Systems systems, Sizing sizing, Rounds rounds, EngineOptions options) {
        this.options = options;
        this.systems = systems;
        this.sizing = sizing;
        this.rounds = rounds;
    }

    void run(int valueBytes) throws Exception {
        Entries filled = new Entries(sizing.fillEntries(), valueBytes);
        fill(FILL, options, filled);
        fill(FILL_LOG, options.withLog(), filled);
        int batch = sizing.batchEntries();
        Entries flushed = new Entries(sizing.flushEntries(), valueBytes);
        alone(FLUSH, flushed, engine -> Systems.write(engine, flushed, batch), Engine::flush);
        Entries compacted = new Entries(sizing.flushEntries() * COMPACTED_FILES, valueBytes);
        alone(COMPACT, compacted, engine -> Systems.load(engine, compacted, batch, COMPACTED_FILES), Engine::compact);
    }

    /** Done when the last entry is in a file; a latency is that of a batch. */
    private void fill(String workload, EngineOptions options, Entries entries) throws Exception {
        rounds.measure(workload, entries.entryBytes(), sizing.writes(), (system, crew, round) -> {
            try (Engine engine = systems.open(system, options, entries)) {
                CyclicBarrier written = new CyclicBarrier(crew.threads());
                return crew.run((thread, latencies) -> {
                    long ops = write(engine, entries, new Part(thread, crew.threads()), latencies);
                    written.await();
                    if (thread == 0) {
                        engine.flush();
                    }
                    return ops;
                });
            } finally {
                clear();
            }
        });
    }

    private long write(Engine engine, Entries entries, Part part, Histogram latencies) throws Exception {
        int batch = sizing.batchEntries();
        long ops = 0;
        try (Session session = engine.session()) {
            for (int at = part.first() * batch; at < entries.count(); at += part.of() * batch) {
                int count = Math.min(batch, entries.count() - at);
                long before = System.nanoTime();
                session.write(at, count);
                latencies.recordValue(System.nanoTime() - before);
                ops += count;
            }
        }
        return ops;
    }

    /** What a thread does with an engine that it has to itself. */
    private interface Step {
        void run(Engine engine) throws Exception;
    }

    private void alone(String workload, Entries entries, Step before, Step measured) throws Exception {
        rounds.measure(workload, entries.entryBytes(), sizing.writes(), (system, crew, round) -> {
            List<Engine> engines = new ArrayList<>();
            try {
                for (int i = 0; i < crew.threads(); i++) {
                    Engine engine = systems.open(system, options.withMemtable(ONE_MEMTABLE), entries);
                    engines.add(engine);
                    before.run(engine);
                }
                System.gc();
                return crew.run((thread, latencies) -> {
                    measured.run(engines.get(thread));
                    return entries.count();
                });
            } finally {
                for (Engine engine : engines) {
                    engine.close();
                }
                clear();
            }
        });
    }

    private void clear() throws Exception {
        systems.clear();
        // What one system left behind is not for the other to clean up.
        System.gc();
    }
}
