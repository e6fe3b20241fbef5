package bt.examples.paper;

import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What a workload, or another trial by name, came to: operations, the seconds they took, how long each took in nanoseconds, what processes used
 * meanwhile. What runs on other machines is absent.
 *
 * @param rowsPerBatch how many rows went to a log at once, on the average, where that was counted
 */
public record Measured(
        String name,
        long operations,
        double seconds,
        Histogram latencies,
        ProcessUse clients,
        Optional<ProcessUse> servers,
        Optional<ProcessUse> datanodes,
        OptionalDouble rowsPerBatch) {
    public double perSecond() {
        return operations / seconds;
    }
}
