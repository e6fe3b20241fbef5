package bt.examples.bench;

import bt.examples.bench.Sizing.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Measures workloads: each with one thread and with two, both systems in turn round by round, so that what disturbs the
 * machine disturbs both; rounds of each beforehand warm up and do not count. One thread.
 */
final class Rounds {
    private static final int[] THREADS = {1, 2};

    private final Predicate<String> wanted;
    private final Progress progress;
    private final List<Result> results = new ArrayList<>();

    Rounds(Predicate<String> wanted, Progress progress) {
        this.wanted = wanted;
        this.progress = progress;
    }

    /** Hears what is done next. */
    interface Progress {
        void say(String next);
    }

    /** One round of one system, by as many threads as the crew has. */
    interface Round {
        Sample run(String system, Crew crew, int round) throws Exception;
    }

    Progress progress() {
        return progress;
    }

    List<Result> results() {
        return List.copyOf(results);
    }

    boolean wantsAnyOf(List<String> workloads) {
        return workloads.stream().anyMatch(wanted);
    }

    /** {@code bytesPerOp} as in {@link Tally#result}. */
    void measure(String workload, int bytesPerOp, Times times, Round round) throws Exception {
        if (!wanted.test(workload)) {
            return;
        }
        for (int threads : THREADS) {
            String name = workload + "-" + threads + "t";
            progress.say(name);
            Map<String, Tally> tallies = new LinkedHashMap<>();
            try (Crew crew = new Crew(threads)) {
                for (int i = 0; i < times.all(); i++) {
                    for (String system : Systems.NAMES) {
                        Sample sample = round.run(system, crew, i);
                        Tally tally = tallies.computeIfAbsent(system, first -> new Tally());
                        if (i >= times.warmUps()) {
                            tally.add(sample);
                        }
                    }
                }
            }
            tallies.forEach((system, tally) -> add(tally.result(name, system, bytesPerOp)));
        }
    }

    private void add(Result result) {
        results.add(result);
        result.figure(Figure.OPS_PER_SECOND)
                .ifPresent(perSecond ->
                        progress.say(String.format(Locale.ROOT, "  %s %,.0f a second", result.system(), perSecond)));
    }
}
