package bt.examples.bench;

import static bt.base.Check.checkState;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The measured rounds of one system at one workload. Speed is that of the median round, for a neighbour on the machine
 * spoils single rounds; latencies, CPU and allocation are over all rounds. One thread.
 */
final class Tally {
    private final List<Sample> samples = new ArrayList<>();

    static Histogram noLatencies() {
        return new Histogram(3);
    }

    void add(Sample sample) {
        checkState(sample.ops() > 0, "a round in which nothing was done");
        samples.add(sample);
    }

    /** {@code bytesPerOp} is what a caller hands over or gets with each operation; 0 where that is nothing. */
    Result result(String name, String system, int bytesPerOp) {
        double perSecond = medianPerSecond();
        Result result = Result.of(name, system).with(Figure.OPS_PER_SECOND, perSecond);
        if (bytesPerOp > 0) {
            result = result.with(Figure.MB_PER_SECOND, perSecond * bytesPerOp / 1e6);
        }
        Histogram latencies = noLatencies();
        long ops = 0;
        long cpuNanos = 0;
        long allocated = 0;
        for (Sample sample : samples) {
            latencies.add(sample.latencies());
            ops += sample.ops();
            cpuNanos += sample.usage().cpuNanos();
            allocated += sample.usage().allocatedBytes();
        }
        if (latencies.getTotalCount() > 0) {
            result = result.with(Figure.P50_MICROS, latencies.getValueAtPercentile(50) / 1e3)
                    .with(Figure.P99_MICROS, latencies.getValueAtPercentile(99) / 1e3)
                    .with(Figure.P999_MICROS, latencies.getValueAtPercentile(99.9) / 1e3);
        }
        return result.with(Figure.CPU_MICROS_PER_OP, cpuNanos / 1e3 / ops)
                .with(Figure.BYTES_ALLOCATED_PER_OP, (double) allocated / ops);
    }

    private double medianPerSecond() {
        double[] sorted =
                samples.stream().mapToDouble(Sample::opsPerSecond).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
