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
 * @param window what tablet servers say that they did meanwhile
 * @param partInLocalCache which part of the data the local cache of blocks held, where it was to hold it
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
        OptionalDouble rowsPerBatch,
        Optional<Window> window,
        OptionalDouble partInLocalCache) {
    static final String BT = "bt";
    static final String HDFS = "hdfs";

    /** Of what has no tablet server. */
    static Measured of(
            String name,
            String system,
            int callers,
            long operations,
            Callers.Trial trial,
            OptionalDouble rowsPerBatch) {
        boolean isHdfs = system.equals(HDFS);
        return new Measured(
                name,
                system,
                callers,
                operations,
                trial.seconds(),
                trial.latencies(),
                trial.here(),
                isHdfs ? Optional.empty() : Optional.of(trial.there()),
                isHdfs ? Optional.of(trial.there()) : Optional.empty(),
                rowsPerBatch,
                Optional.empty(),
                OptionalDouble.empty());
    }

    public double perSecond() {
        return operations / seconds;
    }
}
