package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import bt.log.LogReader;
import bt.log.LogStream;
import bt.tablet.SortedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts segments of dead servers' logs before tablets of this server are loaded from them. One at a time, since a segment
 * is in memory meanwhile. Servers that recover the same log share its segments: each begins with another, and sorts what
 * nobody has begun. What another has begun and does not bring to an end, because it died, or is slow, is sorted here too;
 * the first to end counts. Any thread.
 */
final class SegmentSorts {
    private static final Logger logger = LoggerFactory.getLogger(SegmentSorts.class);

    /** A segment that is much smaller than a full one is read faster than it is sorted. */
    private static final int MIN_SHARE = 64;

    private static final long TURN_MILLIS = 600_000;

    /** So long at least another may take for a segment while there is nothing else to sort here. */
    private static final long PATIENCE_NANOS = 3_000_000_000L;

    /** Between two looks at what others have done, at first and at last. */
    private static final long FIRST_LOOK_MILLIS = 50;

    private static final long LAST_LOOK_MILLIS = 400;

    private final FileStore files;
    private final Scheduler scheduler;
    private final long epoch;
    private final long minBytes;

    /** Paths of what no SSTable takes. */
    private final Set<String> unsortable = ConcurrentHashMap.newKeySet();

    /** Paths of what was not final when it was tried, and is only once its log is whole. */
    private final Set<String> notFinal = ConcurrentHashMap.newKeySet();

    /** Of the latest sort here: another takes about as long. Changed by whoever has the turn. */
    private volatile long sortNanos;

    /** When the latest sort here ended, of whatever log: what this server does itself is no time that another takes. */
    private volatile long endedNanos;

    /** Completes when whoever sorts now has ended. */
    private final AtomicReference<CompletableFuture<Void>> turn =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    /** {@code epoch} is this server's, {@code segmentBytes} what a full segment has. */
    SegmentSorts(FileStore files, Scheduler scheduler, long epoch, long segmentBytes) {
        this.files = files;
        this.scheduler = scheduler;
        this.epoch = epoch;
        this.minBytes = segmentBytes / MIN_SHARE;
        this.endedNanos = scheduler.clock().nanos();
    }

    /** The segments that are sorted now: all of some size, unless they hold what no SSTable takes. */
    Set<Long> sort(LogReader log) throws BigtableException, InterruptedException {
        Set<Long> sorted = new TreeSet<>();
        List<Long> left = large(log);
        long beganNanos = scheduler.clock().nanos();
        long lookMillis = FIRST_LOOK_MILLIS;
        while (true) {
            boolean atWork;
            CompletableFuture<Void> mine = takeTurn();
            try {
                Set<String> names = inDirectory(log.stream());
                strikeOut(log, names, left, sorted);
                if (left.isEmpty()) {
                    return sorted;
                }
                Optional<Long> next = choose(log, names, left, isPatient(beganNanos));
                atWork = next.isPresent();
                if (atWork) {
                    sort(log, next.get());
                }
            } finally {
                mine.complete(null);
            }
            if (atWork) {
                lookMillis = FIRST_LOOK_MILLIS;
            } else {
                scheduler.pause(lookMillis);
                lookMillis = Math.min(2 * lookMillis, LAST_LOOK_MILLIS);
            }
        }
    }

    /**
     * Sorts what is closed of a log of which the rest is still being taken from its writer, and nobody has begun: a load
     * that needs the log would do it later.
     */
    void sortClosed(LogStream stream) throws BigtableException, InterruptedException {
        LogReader log = LogReader.openClosed(files, stream);
        List<Long> left = large(log);
        if (!log.isWhole()) {
            left.removeIf(segment -> notFinal.contains(SortedLog.path(stream, segment)));
        }
        while (true) {
            CompletableFuture<Void> mine = takeTurn();
            try {
                Set<String> names = inDirectory(stream);
                strikeOut(log, names, left, new TreeSet<>());
                Optional<Long> next = choose(log, names, left, true);
                if (next.isEmpty()) {
                    return;
                }
                left.remove(next.get());
                sort(log, next.get());
            } finally {
                mine.complete(null);
            }
        }
    }

    /** When a segment was last sorted here, by the scheduler's clock; when this server began, if none was. */
    long endedNanos() {
        return endedNanos;
    }

    private boolean isPatient(long beganNanos) {
        long now = scheduler.clock().nanos();
        return Math.min(now - beganNanos, now - endedNanos) < Math.max(PATIENCE_NANOS, 2 * sortNanos);
    }

    /** Those that are worth it, beginning with another one in every server. */
    private List<Long> large(LogReader log) throws BigtableException {
        LogStream stream = log.stream();
        Map<String, Long> bytes = new HashMap<>();
        files.list(stream.directory()).forEach(file -> bytes.put(file.name(), file.bytes()));
        List<Long> large = new ArrayList<>();
        List<Long> segments = log.segments();
        for (int i = 0; i < segments.size(); i++) {
            long segment = segments.get((int) Math.floorMod(epoch + i, (long) segments.size()));
            if (bytes.getOrDefault(FilePaths.name(stream.path(segment)), 0L) >= minBytes) {
                large.add(segment);
            }
        }
        return large;
    }

    /** Takes those that are sorted, and those that never will be, out of the list. */
    private void strikeOut(LogReader log, Set<String> names, List<Long> left, Set<Long> sorted) {
        for (long segment : List.copyOf(left)) {
            String path = SortedLog.path(log.stream(), segment);
            if (names.contains(FilePaths.name(path))) {
                sorted.add(segment);
                left.remove(segment);
            } else if (unsortable.contains(path)) {
                left.remove(segment);
            }
        }
    }

    /** One that nobody has begun; if there is none, and our patience is over, one that another has begun. */
    private Optional<Long> choose(LogReader log, Set<String> names, List<Long> left, boolean patient) {
        Optional<Long> free = left.stream()
                .filter(segment -> names.stream().noneMatch(name -> isOfAnother(name, log, segment)))
                .findFirst();
        return free.isPresent() || patient ? free : left.stream().findFirst();
    }

    private boolean isOfAnother(String name, LogReader log, long segment) {
        String path = SortedLog.path(log.stream(), segment);
        return name.startsWith(FilePaths.name(path) + ".")
                && !name.equals(FilePaths.name(SortedLog.unfinished(path, sorter())));
    }

    private void sort(LogReader log, long segment) throws BigtableException {
        String path = SortedLog.path(log.stream(), segment);
        long began = scheduler.clock().nanos();
        boolean sorted = SortedLog.sort(files, log, segment, sorter());
        endedNanos = scheduler.clock().nanos();
        sortNanos = endedNanos - began;
        if (sorted) {
            logger.info("{} is sorted", path);
        } else {
            (log.isWhole() ? unsortable : notFinal).add(path);
        }
    }

    private String sorter() {
        return Long.toString(epoch);
    }

    private Set<String> inDirectory(LogStream stream) throws BigtableException {
        return files.list(SortedLog.directory(stream)).stream()
                .map(FileInfo::name)
                .collect(Collectors.toSet());
    }

    private CompletableFuture<Void> takeTurn() throws BigtableException, InterruptedException {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        while (true) {
            CompletableFuture<Void> before = requireNonNull(turn.get());
            if (before.isDone() && turn.compareAndSet(before, mine)) {
                return mine;
            }
            scheduler.await(before, TURN_MILLIS);
        }
    }
}
