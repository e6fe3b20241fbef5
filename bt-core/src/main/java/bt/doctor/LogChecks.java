package bt.doctor;

import bt.base.BigtableException;
import bt.doctor.DoctorConfig.Depth;
import bt.doctor.TabletFacts.LogSight;
import bt.fs.FileStore;
import bt.log.LogReader;
import bt.log.LogStream;
import java.util.HashMap;
import java.util.List;
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

    /** The log of a server that lives: it writes it, so names alone tell, and that somebody may write. */
    LogSight living(long epoch, String stream) {
        LogStream log = new LogStream(LogStream.LIVE, epoch, stream);
        return once(log, () -> {
            List<Long> segments = segments(log);
            if (segments.isEmpty()) {
                return sight(log, "the log of a living server has no segment " + stream + "-…");
            }
            return isAnyOpen(log, segments)
                    ? sight(log, "")
                    : heldBadly(log, "a living server can write none of its segments " + stream + "-…: all are closed");
        });
    }

    /** The log of a server without a file: where it was, until the master has taken it. */
    LogSight dead(long epoch, String stream) {
        // In this order: it is renamed from the first to the second, never back.
        LogStream before = new LogStream(LogStream.LIVE, epoch, stream);
        return once(
                before,
                () -> segments(before).isEmpty()
                        ? recovered(epoch, stream)
                        : heldBadly(before, "the log of a dead server lies where that may write it"));
    }

    /** The log of a dead server, closed, which a tablet is to be recovered from. */
    LogSight recovered(long epoch, String stream) {
        LogStream log = new LogStream(LogStream.RECOVERED, epoch, stream);
        return once(log, () -> {
            List<Long> segments = segments(log);
            if (segments.isEmpty()) {
                return sight(log, "the log of a dead server is missing: no segment " + stream + "-…");
            }
            for (long segment : segments) {
                if (!LogReader.isClosed(files, log, segment)) {
                    return heldBadly(log, "the segment " + log.path(segment) + " of a dead server is not closed");
                }
            }
            if (depth != Depth.NAMES) {
                LogReader reader = LogReader.open(files, log);
                if (depth == Depth.READ) {
                    reader.readAll(record -> {});
                }
            }
            return sight(log, "");
        });
    }

    private List<Long> segments(LogStream log) throws BigtableException {
        return files.list(log.directory()).stream()
                .flatMapToLong(file -> log.segmentOf(file.name()).stream())
                .sorted()
                .boxed()
                .toList();
    }

    /** The newest ones are. */
    private boolean isAnyOpen(LogStream log, List<Long> segments) throws BigtableException {
        for (int i = segments.size() - 1; i >= 0; i--) {
            if (!LogReader.isClosed(files, log, segments.get(i))) {
                return true;
            }
        }
        return false;
    }

    private LogSight once(LogStream log, Look look) {
        String key = log.directory() + " " + log.name();
        LogSight known = seen.get(key);
        if (known == null) {
            known = look(log, look);
            seen.put(key, known);
        }
        return known;
    }

    private static LogSight look(LogStream log, Look look) {
        try {
            return look.look();
        } catch (BigtableException unreadable) {
            return sight(log, String.valueOf(unreadable.getMessage()));
        }
    }

    private static LogSight sight(LogStream log, String failure) {
        return new LogSight(log.directory(), failure, "");
    }

    private static LogSight heldBadly(LogStream log, String how) {
        return new LogSight(log.directory(), "", how);
    }

    private interface Look {
        LogSight look() throws BigtableException;
    }
}
