package bt.examples.paper;

import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * What a workload, or another trial by name, came to: operations, the seconds they took, how long each took in nanoseconds, what processes used
 * meanwhile. What runs on other machines is absent.
 */
public record Measured(
        String name,
        long operations,
        double seconds,
        Histogram latencies,
        ProcessUse clients,
        Optional<ProcessUse> servers,
        Optional<ProcessUse> datanodes) {
    public double perSecond() {
        return operations / seconds;
    }
}
