package bt.master;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.record.SweepFile;
import bt.record.SweepLine;
import bt.record.SweepReport;
import bt.record.SweepRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sweeps of garbage that somebody has asked for and that are not done: at most one that deletes, and a dry one. A file of
 * the lock service for each has the next master do it; while the collector gets on it is written anew now and then, so that who looks
 * at the cluster sees that. Owned by the master's thread.
 */
final class AskedSweeps {
    private static final Logger log = LoggerFactory.getLogger(AskedSweeps.class);

    /** Of what a doctor takes for a standstill a small part. */
    private static final long TOLD_NANOS = 60_000_000_000L;

    private final WishFiles files;
    private final Collector collector;
    private final Clock clock;

    /** By whether it is dry, what the collector calls it. */
    private final Map<Boolean, Long> asked = new TreeMap<>();

    private long toldNanos;
    private long toldProgress;

    private AskedSweeps(WishFiles files, Collector collector, Clock clock) {
        this.files = files;
        this.collector = collector;
        this.clock = clock;
        this.toldNanos = clock.nanos();
    }

    /** With those that earlier masters were asked for. */
    static AskedSweeps load(WishFiles files, Collector collector, Clock clock) throws BigtableException {
        AskedSweeps sweeps = new AskedSweeps(files, collector, clock);
        files.read(SweepFile.class, (sweep, found) -> sweeps.ask(sweep.getDry()));
        return sweeps;
    }

    /** The answer; empty when the message is for somebody else. */
    Optional<SpecificRecord> hear(SpecificRecord message) throws BigtableException {
        if (!(message instanceof SweepRequest request)) {
            return Optional.empty();
        }
        if (request.getBegin()) {
            files.write(number(request.getDry()), new SweepFile(request.getDry()));
            ask(request.getDry());
            return Optional.of(new SweepReport(List.of(line(request.getDry()))));
        }
        forgetDone();
        List<SweepLine> lines = new ArrayList<>();
        asked.keySet().forEach(dry -> lines.add(line(dry)));
        return Optional.of(new SweepReport(lines));
    }

    private void ask(boolean dry) {
        asked.put(dry, collector.ask(dry));
    }

    private SweepLine line(boolean dry) {
        return new SweepLine(dry, collector.tablesLeft(dry));
    }

    /** With every look at the cluster. */
    void look() {
        try {
            forgetDone();
            tellProgress();
        } catch (BigtableException notNow) {
            // The next look finds it so too.
            log.debug("sweep of garbage: {}", notNow.getMessage());
        }
    }

    private void forgetDone() throws BigtableException {
        for (Map.Entry<Boolean, Long> sweep : List.copyOf(asked.entrySet())) {
            if (collector.hasDone(sweep.getKey(), sweep.getValue())) {
                files.delete(number(sweep.getKey()));
                asked.remove(sweep.getKey());
            }
        }
    }

    private void tellProgress() throws BigtableException {
        long now = clock.nanos();
        long progress = collector.progress();
        if (now - toldNanos >= TOLD_NANOS && progress != toldProgress) {
            toldNanos = now;
            toldProgress = progress;
            for (boolean dry : asked.keySet()) {
                files.write(number(dry), new SweepFile(dry));
            }
        }
    }

    private static long number(boolean dry) {
        return dry ? 1 : 0;
    }
}
