package bt.examples.hostile;

import bt.examples.hostile.Honest.Latency;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What bad callers came to.
 *
 * @param frames how many were answered, or had their connection closed
 * @param closed how many of their connections were closed, which must be all
 * @param held what the JVM of servers, gateway and callers held
 * @param calm how long the honest callers' operations took before, by their door
 * @param stormy how long meanwhile
 */
public record HostileReport(
        long seed,
        Sent frames,
        long closed,
        Held held,
        Map<String, Latency> calm,
        Map<String, Latency> stormy,
        int anomalies,
        List<String> words) {
    /** Beyond is a leak: what caches and pools take is taken early. */
    private static final long FLAT_BYTES = 32 << 20;

    public HostileReport {
        calm = Map.copyOf(calm);
        stormy = Map.copyOf(stormy);
        words = List.copyOf(words);
    }

    /** By the port that they were sent to. */
    public record Sent(long rpc, long thrift, double seconds) {}

    /**
     * When a tenth of the frames had come, after the last, and the most at any time between: on the heap after a collection,
     * of which there was one every five seconds, outside it whenever somebody looked, which was all the time.
     */
    public record Held(Memory early, Memory peak, Memory late) {
        private boolean isFlat() {
            return peak.heapBytes() - early.heapBytes() < FLAT_BYTES
                    && peak.directBytes() - early.directBytes() < FLAT_BYTES;
        }
    }

    /** Every honest operation right, every connection closed, memory flat. */
    public boolean isClean() {
        return anomalies == 0 && held.isFlat();
    }

    public String json() throws JsonProcessingException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("seed", seed);
        document.put("rpcFrames", frames.rpc());
        document.put("thriftFrames", frames.thrift());
        document.put("seconds", frames.seconds());
        document.put("connectionsClosed", closed);
        document.put(
                "heapBytes",
                List.of(
                        held.early().heapBytes(),
                        held.peak().heapBytes(),
                        held.late().heapBytes()));
        document.put(
                "directBytes",
                List.of(
                        held.early().directBytes(),
                        held.peak().directBytes(),
                        held.late().directBytes()));
        document.put("honestBefore", calm);
        document.put("honestMeanwhile", stormy);
        document.put("anomalies", anomalies);
        document.put("complaints", words);
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    public String table() {
        StringBuilder table = new StringBuilder();
        new TreeMap<>(calm).forEach((door, latency) -> table.append(line(door, "before", latency)));
        new TreeMap<>(stormy).forEach((door, latency) -> table.append(line(door, "meanwhile", latency)));
        words.forEach(each -> table.append("anomaly: ").append(each).append('\n'));
        return table.append(String.format(
                        Locale.ROOT,
                        "seed %d: %,d frames at the RPC port, %,d at the Thrift port in %.0f s, %,d connections closed;"
                                + " heap %,d to %,d bytes, at most %,d, direct %,d to %,d, at most %,d; %d anomalies",
                        seed,
                        frames.rpc(),
                        frames.thrift(),
                        frames.seconds(),
                        closed,
                        held.early().heapBytes(),
                        held.late().heapBytes(),
                        held.peak().heapBytes(),
                        held.early().directBytes(),
                        held.late().directBytes(),
                        held.peak().directBytes(),
                        anomalies))
                .toString();
    }

    private static String line(String door, String when, Latency latency) {
        return String.format(
                Locale.ROOT,
                "honest %-8s %-9s %,8d operations, median %,d us, 99 of 100 %,d us, longest %,d us%n",
                door,
                when,
                latency.count(),
                latency.medianMicros(),
                latency.p99Micros(),
                latency.maxMicros());
    }
}
