package bt.examples.bench;

import bt.examples.paper.Measured;
import bt.examples.paper.ProcessUse;
import bt.examples.paper.Window;
import bt.examples.paper.Workload;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** What {@code bt bench paper} and {@code bt bench rpc} measured, in the figures of reports. */
final class PaperResults {
    private PaperResults() {}

    static Result of(Measured measured) {
        Result result = Result.of(measured.name(), measured.system())
                .with(Figure.CALLERS, measured.callers())
                .with(Figure.OPS_PER_SECOND, measured.perSecond());
        Histogram latencies = measured.latencies();
        if (latencies.getTotalCount() > 0) {
            for (Map.Entry<Figure, Double> percentile : Map.of(
                            Figure.P50_MICROS, 50.0, Figure.P99_MICROS, 99.0, Figure.P999_MICROS, 99.9)
                    .entrySet()) {
                result = result.with(percentile.getKey(), latencies.getValueAtPercentile(percentile.getValue()) / 1e3);
            }
            result = result.with(Figure.MAX_MICROS, latencies.getMaxValue() / 1e3);
        }
        result = with(result, Figure.ROWS_PER_BATCH, measured.rowsPerBatch());
        if (measured.window().isPresent()) {
            result = with(result, measured.window().get());
        }
        result = with(result, Figure.PART_IN_LOCAL_CACHE, measured.partInLocalCache());
        double operations = measured.operations();
        result = with(result, Figure.CLIENT_CPU, Optional.of(measured.clients()), operations);
        result = with(result, Figure.SERVER_CPU, measured.servers(), operations);
        result = with(result, Figure.DATANODE_CPU, measured.datanodes(), operations);
        Optional<Double> bytesOut = measured.datanodes().flatMap(PaperResults::bytesOut);
        if (bytesOut.isPresent()) {
            result = result.with(Figure.DATANODE_BYTES_OUT, bytesOut.get() / operations);
        }
        result = with(
                result,
                Figure.CLIENT_BYTES_ALLOCATED,
                Figure.CLIENT_GC_MILLIS,
                Optional.of(measured.clients()),
                operations);
        result = with(result, Figure.SERVER_BYTES_ALLOCATED, Figure.SERVER_GC_MILLIS, measured.servers(), operations);
        Optional<Workload> workload = Workload.find(measured.name());
        if (workload.isPresent() && workload.get().isScan()) {
            result = perCpuSecond(result, measured);
        }
        return workload.isPresent() && workload.get().paperRate().isPresent()
                ? result.with(
                        Figure.PAPER_OPS_PER_SECOND, workload.get().paperRate().getAsInt())
                : result;
    }

    private static Optional<Double> bytesOut(ProcessUse use) {
        return use.bytesOut().isPresent() ? Optional.of(use.bytesOut().getAsDouble()) : Optional.empty();
    }

    private static Result with(Result result, Window window) {
        Result more = result.with(Figure.FLUSHES, (double) window.flushes())
                .with(Figure.MERGES, (double) window.merges())
                .with(Figure.LOG_MB, window.logBytes() / 1e6);
        return with(more, Figure.LOCAL_HIT_PART, window.localHitPart());
    }

    private static Result with(Result result, Figure figure, OptionalDouble number) {
        return number.isPresent() ? result.with(figure, number.getAsDouble()) : result;
    }

    /** Of the servers, and of all that took part, where all of it is on this machine. */
    private static Result perCpuSecond(Result result, Measured measured) {
        if (measured.servers().isEmpty()) {
            return result;
        }
        double servers = measured.servers().get().cpuSeconds();
        double all = servers
                + measured.clients().cpuSeconds()
                + measured.datanodes().map(ProcessUse::cpuSeconds).orElse(0.0);
        // A hundredth of a second is the least that is counted.
        return servers <= 0
                ? result
                : result.with(Figure.OPS_PER_SERVER_CPU_SECOND, (double) measured.operations() / servers)
                        .with(Figure.OPS_PER_CPU_SECOND, (double) measured.operations() / all);
    }

    private static Result with(Result result, Figure cpu, Optional<ProcessUse> use, double operations) {
        return use.isPresent() ? result.with(cpu, use.get().cpuSeconds() * 1e6 / operations) : result;
    }

    private static Result with(
            Result result, Figure bytes, Figure millis, Optional<ProcessUse> use, double operations) {
        if (use.isEmpty() || use.get().allocatedBytes().isEmpty()) {
            return result;
        }
        return result.with(bytes, use.get().allocatedBytes().getAsDouble() / operations)
                .with(millis, use.get().gcMillis().orElse(0));
    }
}
