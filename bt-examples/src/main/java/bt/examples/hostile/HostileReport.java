package bt.examples.hostile;

import bt.examples.hostile.Honest.Latency;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
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

    /** By so much a busy machine makes everything slower; who has to wait for bad callers to be done with waits for far longer. */
    private static final int SLOWER = 50;

    /** What is less is as good as at once, however little it was before. */
    private static final long SOON_MICROS = 500_000;

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

    /** Every honest operation right and soon enough, every connection closed, memory flat. */
    public boolean isClean() {
        return anomalies == 0 && held.isFlat() && harmed().isEmpty();
    }

    /** The honest callers that bad ones kept from their work, in words: half of their operations took too long, or there was none. */
    public List<String> harmed() {
        List<String> harmed = new ArrayList<>();
        new TreeMap<>(calm).forEach((door, before) -> {
            Latency meanwhile = stormy.getOrDefault(door, Latency.NONE);
            long most = Math.max(SOON_MICROS, SLOWER * before.medianMicros());
            if (before.count() == 0 || meanwhile.count() == 0 || meanwhile.medianMicros() > most) {
                harmed.add(String.format(
                        Locale.ROOT,
                        "honest %s: %,d operations with a median of %,d us before, %,d of %,d us meanwhile, where %,d us are borne",
                        door,
                        before.count(),
                        before.medianMicros(),
                        meanwhile.count(),
                        meanwhile.medianMicros(),
                        most));
            }
        });
        return harmed;
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
        document.put("honestHarmed", harmed());
        document.put("anomalies", anomalies);
        document.put("complaints", words);
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    public String table() {
        StringBuilder table = new StringBuilder();
        new TreeMap<>(calm).forEach((door, latency) -> table.append(line(door, "before", latency)));
        new TreeMap<>(stormy).forEach((door, latency) -> table.append(line(door, "meanwhile", latency)));
        harmed().forEach(each -> table.append("harmed: ").append(each).append('\n'));
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
