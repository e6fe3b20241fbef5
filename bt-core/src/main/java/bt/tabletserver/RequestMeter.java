package bt.tabletserver;

import bt.protocol.LatencyScale;
import bt.record.RequestReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests of one kind since the server's start, with their bytes and by how long they took. Any thread. */
final class RequestMeter {
    private final LongAdder[] byLatency = new LongAdder[LatencyScale.CLASSES];
    private final LongAdder bytes = new LongAdder();

    RequestMeter() {
        for (int i = 0; i < byLatency.length; i++) {
            byLatency[i] = new LongAdder();
        }
    }

    /** So many came at a time and were answered after so long. */
    void answered(long requests, long theirBytes, long nanos) {
        byLatency[LatencyScale.classOf(nanos / 1_000)].add(requests);
        bytes.add(theirBytes);
    }

    RequestReport report() {
        List<Long> counts = new ArrayList<>();
        long requests = 0;
        int used = 0;
        for (LongAdder adder : byLatency) {
            long count = adder.sum();
            counts.add(count);
            requests += count;
            used = count == 0 ? used : counts.size();
        }
        return new RequestReport(requests, bytes.sum(), new ArrayList<>(counts.subList(0, used)));
    }
}
