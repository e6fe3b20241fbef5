package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.log.LogReader;
import bt.log.LogStream;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Logs of dead servers as the first load from each has found them, for the loads that follow: one is loaded from only when it is closed
 * to its writer, so nothing in it changes, and what is sorted stays so. A file may be lost all the same: who cannot read one has the log
 * forgotten, and the next load looks anew. Loads that come while one looks wait for what it sees. Only the latest few. Any thread.
 */
final class DeadLogs {
    private static final int MOST = 32;

    /** Who looks may have to wait for the file store, and others could not do better meanwhile. */
    private static final long LOOK_MILLIS = 600_000;

    private final FileStore files;
    private final Scheduler scheduler;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<LogStream, Known> logs = new LinkedHashMap<>();

    /** Looks that are under way. */
    private final Map<LogStream, CompletableFuture<LogReader>> looks = new ConcurrentHashMap<>();

    DeadLogs(FileStore files, Scheduler scheduler) {
        this.files = files;
        this.scheduler = scheduler;
    }

    private record Known(LogReader reader, Set<Long> sorted) {}

    /** Whoever asks has been told that the log is closed. */
    LogReader open(LogStream stream) throws BigtableException, InterruptedException {
        while (true) {
            Optional<Known> known = known(stream);
            if (known.isPresent()) {
                return known.get().reader();
            }
            CompletableFuture<LogReader> mine = new CompletableFuture<>();
            CompletableFuture<LogReader> others = looks.putIfAbsent(stream, mine);
            if (others == null) {
                return lookFor(mine, stream);
            }
            try {
                return scheduler.await(others, LOOK_MILLIS);
            } catch (BigtableException failed) {
                if (!others.isDone()) {
                    throw failed;
                }
                // It may have failed for the one who looked alone.
            }
        }
    }

    private LogReader lookFor(CompletableFuture<LogReader> waiting, LogStream stream) throws BigtableException {
        try {
            LogReader reader = look(stream);
            waiting.complete(reader);
            return reader;
        } finally {
            looks.remove(stream, waiting);
            waiting.completeExceptionally(new UnavailableException(stream.directory() + " could not be looked at"));
        }
    }

    private LogReader look(LogStream stream) throws BigtableException {
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
