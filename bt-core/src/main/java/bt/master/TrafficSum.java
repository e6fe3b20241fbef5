package bt.master;

import bt.protocol.LatencyScale;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the servers of a cluster were asked for from one look to the next. They count from their start, so nothing is lost
 * when a look fails, or a server does not answer it: the next answer is compared with the last; what a server did before a
 * master saw it first, no look of that master has. One thread.
 */
final class TrafficSum {
    private static final double P99 = 0.99;
    private static final RequestReport NOTHING = new RequestReport(0L, 0L, List.of());

    /** By the server's epoch. */
    private Map<Long, Answered> before = new HashMap<>();

    /** The epochs of those that lived, whether they answered or not. */
    private Set<Long> livedBefore = new HashSet<>();

    private long beforeNanos;
    private boolean first = true;

    private record Answered(ServerStatus status, long atNanos) {}

    /** A second, and in microseconds; -1 where nothing was asked for. */
    record Rates(
            double requestsPerSecond, double bytesPerSecond, long p99Micros, long readP99Micros, long writeP99Micros) {}

    Rates since(Sight sight, long nowNanos) {
        Sum reads = new Sum();
        Sum writes = new Sum();
        double requests = 0;
        double bytes = 0;
        Map<Long, Answered> now = new HashMap<>(before);
        Set<Long> living = new HashSet<>();
        sight.living().forEach(member -> living.add(member.epoch()));
        now.keySet().retainAll(living);
        for (Poll.Holdings holdings : sight.answered().values()) {
            ServerStatus status = holdings.status();
            now.put(status.getEpoch(), new Answered(status, nowNanos));
            Optional<Answered> last = Optional.ofNullable(before.get(status.getEpoch()));
            if (first || (last.isEmpty() && livedBefore.contains(status.getEpoch()))) {
                continue;
            }
            Sum itsReads = Sum.of(status.getReads(), last.map(Answered::status).map(ServerStatus::getReads));
            Sum itsWrites =
                    Sum.of(status.getWrites(), last.map(Answered::status).map(ServerStatus::getWrites));
            double seconds = Math.max(1, nowNanos - last.map(Answered::atNanos).orElse(beforeNanos)) / 1e9;
            requests += (itsReads.requests + itsWrites.requests) / seconds;
            bytes += (itsReads.bytes + itsWrites.bytes) / seconds;
            reads = reads.plus(itsReads);
            writes = writes.plus(itsWrites);
        }
        before = now;
        livedBefore = living;
        beforeNanos = nowNanos;
        first = false;
        return new Rates(requests, bytes, reads.plus(writes).p99(), reads.p99(), writes.p99());
    }

    private static final class Sum {
        private long requests;
        private long bytes;
        private final List<Long> byLatency = new ArrayList<>();

        /** What came to the one on top of the other. */
        static Sum of(RequestReport now, Optional<RequestReport> before) {
            RequestReport last = before.orElse(NOTHING);
            Sum sum = new Sum();
            sum.requests = now.getRequests() - last.getRequests();
            sum.bytes = now.getBytes() - last.getBytes();
            List<Long> counts = now.getByLatency();
            List<Long> lastCounts = last.getByLatency();
            for (int i = 0; i < counts.size(); i++) {
                sum.add(i, counts.get(i) - (i < lastCounts.size() ? lastCounts.get(i) : 0));
            }
            return sum;
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
