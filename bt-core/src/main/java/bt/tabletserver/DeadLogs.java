package bt.tabletserver;

import bt.base.BigtableException;
import bt.fs.FileStore;
import bt.log.LogReader;
import bt.log.LogStream;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Logs of dead servers as the first load from each has found them, for the loads that follow: one is loaded from only when it is closed
 * to its writer, so nothing in it changes, and what is sorted stays so. A file may be lost all the same: who cannot read one has the log
 * forgotten, and the next load looks anew. Only the latest few. Any thread.
 */
final class DeadLogs {
    private static final int MOST = 32;

    private final FileStore files;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<LogStream, Known> logs = new LinkedHashMap<>();

    DeadLogs(FileStore files) {
        this.files = files;
    }

    private record Known(LogReader reader, Set<Long> sorted) {}

    /** Whoever asks has been told that the log is closed. */
    LogReader open(LogStream stream) throws BigtableException {
        Optional<Known> known = known(stream);
        if (known.isPresent()) {
            return known.get().reader();
        }
        // Not under the lock: two that come together both look.
        LogReader reader = LogReader.open(files, stream);
        if (reader.segments().isEmpty()) {
            // Somebody may bring them back.
            return reader;
        }
        lock.lock();
        try {
            logs.putIfAbsent(stream, new Known(reader, ConcurrentHashMap.newKeySet()));
            if (logs.size() > MOST) {
                logs.remove(logs.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
        return reader;
    }

    /** The segments that are known to be sorted. */
    Set<Long> sorted(LogStream stream) {
        return known(stream).map(Known::sorted).orElse(Set.of());
    }

    /** They were seen to be. */
    void sorted(LogStream stream, Set<Long> segments) {
        known(stream).ifPresent(known -> known.sorted().addAll(segments));
    }

    /** Something of it could not be read. */
    void forget(LogStream stream) {
        lock.lock();
        try {
            logs.remove(stream);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Known> known(LogStream stream) {
        lock.lock();
        try {
            return Optional.ofNullable(logs.get(stream));
        } finally {
            lock.unlock();
        }
    }
}
