package bt.master;

import bt.protocol.LatencyScale;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the servers of a cluster were asked for from one look to the next. They count from their start, so nothing is lost
 * when a look fails; what a server did before a master saw it first, no look of that master has. One thread.
 */
final class TrafficSum {
    private static final double P99 = 0.99;
    private static final RequestReport NOTHING = new RequestReport(0L, 0L, List.of());

    /** By the server's epoch. */
    private Map<Long, ServerStatus> before = new HashMap<>();

    private long beforeNanos;
    private boolean first = true;

    /** A second, and in microseconds; -1 where nothing was asked for. */
    record Rates(
            double requestsPerSecond, double bytesPerSecond, long p99Micros, long readP99Micros, long writeP99Micros) {}

    Rates since(Sight sight, long nowNanos) {
        Sum reads = new Sum();
        Sum writes = new Sum();
        Map<Long, ServerStatus> now = new HashMap<>();
        for (Poll.Holdings holdings : sight.answered().values()) {
            ServerStatus status = holdings.status();
            now.put(status.getEpoch(), status);
            ServerStatus last = before.get(status.getEpoch());
            if (last != null) {
                reads.add(status.getReads(), last.getReads());
                writes.add(status.getWrites(), last.getWrites());
            } else if (!first) {
                reads.add(status.getReads(), NOTHING);
                writes.add(status.getWrites(), NOTHING);
            }
        }
        double seconds = first ? 1 : Math.max(1, nowNanos - beforeNanos) / 1e9;
        before = now;
        beforeNanos = nowNanos;
        first = false;
        Sum all = reads.plus(writes);
        return new Rates(all.requests / seconds, all.bytes / seconds, all.p99(), reads.p99(), writes.p99());
    }

    private static final class Sum {
        private long requests;
        private long bytes;
        private final List<Long> byLatency = new ArrayList<>();

        void add(RequestReport now, RequestReport last) {
            requests += now.getRequests() - last.getRequests();
            bytes += now.getBytes() - last.getBytes();
            List<Long> counts = now.getByLatency();
            List<Long> before = last.getByLatency();
            for (int i = 0; i < counts.size(); i++) {
                add(i, counts.get(i) - (i < before.size() ? before.get(i) : 0));
            }
        }

        Sum plus(Sum that) {
            Sum sum = new Sum();
            sum.requests = requests + that.requests;
            sum.bytes = bytes + that.bytes;
            for (int i = 0; i < byLatency.size(); i++) {
                sum.add(i, byLatency.get(i));
            }
            for (int i = 0; i < that.byLatency.size(); i++) {
                sum.add(i, that.byLatency.get(i));
            }
            return sum;
        }

        private void add(int latencyClass, long count) {
            while (byLatency.size() <= latencyClass) {
                byLatency.add(0L);
            }
            byLatency.set(latencyClass, byLatency.get(latencyClass) + count);
        }

        long p99() {
            return LatencyScale.quantileMicros(byLatency, P99).orElse(-1);
        }
    }
}
