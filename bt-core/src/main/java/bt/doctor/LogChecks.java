package bt.doctor;

import bt.base.BigtableException;
import bt.doctor.DoctorConfig.Depth;
import bt.doctor.TabletFacts.LogSight;
import bt.fs.FileStore;
import bt.log.LogReader;
import bt.log.LogStream;
import java.util.HashMap;
import java.util.Map;

/** Looks at logs as deep as is wanted, at each once until {@link #forget}. One thread. */
final class LogChecks {
    private final FileStore files;
    private final Depth depth;
    private final Map<String, LogSight> seen = new HashMap<>();

    LogChecks(FileStore files, Depth depth) {
        this.files = files;
        this.depth = depth;
    }

    void forget() {
        seen.clear();
    }

    /** The log of a server that lives: it is being written, so only its names tell. */
    LogSight living(long epoch, String stream) {
        LogStream log = new LogStream(LogStream.LIVE, epoch, stream);
        return once(log, () -> hasSegments(log) ? "" : "the log of a living server has no segment " + stream + "-…");
    }

    /** The log of a server without a file: where it was, until the master has taken it. */
    LogSight dead(long epoch, String stream) {
        // In this order: it is renamed from the first to the second, never back.
        LogStream before = new LogStream(LogStream.LIVE, epoch, stream);
        try {
            return hasSegments(before) ? new LogSight(before.directory(), "") : recovered(epoch, stream);
        } catch (BigtableException unlisted) {
            return new LogSight(before.directory(), unlisted.getMessage());
        }
    }

    /** The log of a dead server, closed, which a tablet is to be recovered from. */
    LogSight recovered(long epoch, String stream) {
        LogStream log = new LogStream(LogStream.RECOVERED, epoch, stream);
        return once(log, () -> {
            if (!hasSegments(log)) {
                return "the log of a dead server is missing: no segment " + stream + "-…";
            }
            if (depth == Depth.NAMES) {
                return "";
            }
            LogReader reader = LogReader.open(files, log);
            if (depth == Depth.READ) {
                reader.readAll(record -> {});
            }
            return "";
        });
    }

    private boolean hasSegments(LogStream log) throws BigtableException {
        return files.list(log.directory()).stream().anyMatch(file -> file.name().startsWith(log.name() + "-"));
    }

    private LogSight once(LogStream log, Look look) {
        String key = log.directory() + " " + log.name();
        LogSight known = seen.get(key);
        if (known == null) {
            known = new LogSight(log.directory(), failure(look));
            seen.put(key, known);
        }
        return known;
    }

    private static String failure(Look look) {
        try {
            return look.failure();
        } catch (BigtableException unreadable) {
            return unreadable.getMessage();
        }
    }

    /** What is wrong; nothing is "". */
    private interface Look {
        String failure() throws BigtableException;
    }
}
