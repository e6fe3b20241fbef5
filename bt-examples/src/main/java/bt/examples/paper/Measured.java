package bt.examples.paper;

import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What a workload, or another trial by name, came to: operations, the seconds they took, how long each took in nanoseconds, what processes used
 * meanwhile. What runs on other machines is absent.
 *
 * @param system what was measured: {@link #BT}, or what lies below it
 * @param callers how many threads did so at once
 * @param rowsPerBatch how many rows went to a log at once, on the average, where that was counted
 */
public record Measured(
        String name,
        String system,
        int callers,
        long operations,
        double seconds,
        Histogram latencies,
        ProcessUse clients,
        Optional<ProcessUse> servers,
        Optional<ProcessUse> datanodes,
        OptionalDouble rowsPerBatch) {
    static final String BT = "bt";
    static final String HDFS = "hdfs";

    public double perSecond() {
        return operations / seconds;
    }
}
