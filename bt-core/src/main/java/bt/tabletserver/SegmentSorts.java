package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Scheduler;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import bt.log.LogReader;
import bt.log.LogStream;
import bt.tablet.SortedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts segments of dead servers' logs before tablets of this server are loaded from them. Loads sort one at a time, since a
 * segment is in memory meanwhile. Beside them another may be sorted early, which no load waits for longer than for another
 * server. Servers that recover the same log share its segments: each begins with another, and sorts what
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
    private final DeadLogs logs;

    /** Paths of what no SSTable takes. */
    private final Set<String> unsortable = ConcurrentHashMap.newKeySet();

    /** Paths of what was not final when it was tried, and is only once its log is whole. */
    private final Set<String> notFinal = ConcurrentHashMap.newKeySet();

    /** Of a load's latest sort here: another takes about as long. Changed by whoever has the turn. */
    private volatile long sortNanos;

    /** When a load's latest sort here ended, of whatever log: what it does itself is no time that another takes. */
    private volatile long endedNanos;

    /** Loads that have something to sort here, or wait for it. */
    private final AtomicInteger loads = new AtomicInteger();

    /** Completes when the load that sorts now has ended. */
    private final AtomicReference<CompletableFuture<Void>> turn =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    /** {@code epoch} is this server's, {@code segmentBytes} what a full segment has. */
    SegmentSorts(FileStore files, Scheduler scheduler, long epoch, long segmentBytes) {
        this.files = files;
        this.scheduler = scheduler;
        this.epoch = epoch;
        this.minBytes = segmentBytes / MIN_SHARE;
        this.logs = new DeadLogs(files, scheduler);
        this.endedNanos = scheduler.clock().nanos();
    }

    /** A log that is closed to its writer, all of it. */
    LogReader open(LogStream stream) throws BigtableException, InterruptedException {
        return logs.open(stream);
    }

    /** Something of the log could not be read: the next load from it looks anew at what there is. */
    void forget(LogStream stream) {
        logs.forget(stream);
    }

    /** What is sorted of a segment cannot be used, and the segment can: nobody who has it open loses more than this attempt. */
    void discard(LogStream stream, long segment, CorruptionException why) {
        files.discard(SortedLog.path(stream, segment), why);
        logs.forget(stream);
    }

    /** The segments that are sorted now: all of some size, unless they hold what no SSTable takes. */
    Set<Long> sort(LogReader log) throws BigtableException, InterruptedException {
        loads.incrementAndGet();
        try {
            return sortAll(log);
        } finally {
            loads.decrementAndGet();
        }
    }

    private Set<Long> sortAll(LogReader log) throws BigtableException, InterruptedException {
        Set<Long> sorted = new TreeSet<>();
        List<Long> left = large(log.sizes(), log.segments());
        strikeOut(log.stream(), names(log.stream(), logs.sorted(log.stream())), left, sorted);
        if (left.isEmpty()) {
            return sorted;
        }
        long beganNanos = scheduler.clock().nanos();
        long lookMillis = FIRST_LOOK_MILLIS;
        while (true) {
            boolean atWork;
            CompletableFuture<Void> mine = takeTurn();
            try {
                // What a load has seen or sorted whose turn came before.
                strikeOut(log.stream(), names(log.stream(), logs.sorted(log.stream())), left, sorted);
                if (left.isEmpty()) {
                    return sorted;
                }
                Set<String> names = inDirectory(log.stream());
                strikeOut(log.stream(), names, left, sorted);
                logs.sorted(log.stream(), sorted);
                if (left.isEmpty()) {
                    return sorted;
                }
                Optional<Long> next = choose(log.stream(), names, left, isPatient(beganNanos));
                atWork = next.isPresent();
                if (atWork) {
                    sortInTurn(log, next.get());
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
     * that needs the log would do it later. It ends before its next segment as soon as loads sort here. One thread.
     */
    void sortClosed(LogStream stream) throws BigtableException {
        SortedMap<Long, Long> sizes = LogReader.list(files, stream);
        Set<String> names = inDirectory(stream);
        List<Long> left = large(sizes, List.copyOf(sizes.keySet()));
        strikeOut(stream, names, left, new TreeSet<>());
        left.removeIf(segment -> !isFree(stream, names, segment, earlySorter()));
        if (left.isEmpty()) {
            return;
        }
        LogReader log = openClosed(stream, sizes.keySet(), names, left);
        left.retainAll(log.segments());
        for (long segment : left) {
            if (loads.get() > 0) {
                return;
            }
            Set<String> now = inDirectory(stream);
            if (!isSorted(stream, now, segment) && isFree(stream, now, segment, earlySorter())) {
                sort(log, segment, earlySorter());
            }
        }
    }

    /** Of the whole log if all of it is closed, else of those in {@code left} that are and were not tried before. */
    private LogReader openClosed(LogStream stream, Set<Long> all, Set<String> names, List<Long> left)
            throws BigtableException {
        List<Long> untried = left.stream()
                .filter(segment -> !notFinal.contains(SortedLog.path(stream, segment)))
                .toList();
        List<Long> closed = new ArrayList<>();
        for (long segment : untried) {
            if (LogReader.isClosed(files, stream, segment)) {
                closed.add(segment);
            }
        }
        // What is sorted, or was begun, is known to be closed: to ask costs the file store as much as to read.
        List<Long> others = all.stream()
                .filter(segment -> !left.contains(segment)
                        && !isSorted(stream, names, segment)
                        && isFree(stream, names, segment, earlySorter()))
                .toList();
        return closed.size() == untried.size() && areClosed(stream, others)
                ? LogReader.open(files, stream)
                : LogReader.of(files, stream, closed);
    }

    /** The newest is asked for first: if one is open it is that. */
    private boolean areClosed(LogStream stream, List<Long> segments) throws BigtableException {
        for (int i = segments.size() - 1; i >= 0; i--) {
            if (!LogReader.isClosed(files, stream, segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** When a load last sorted a segment here, by the scheduler's clock; when this server began, if none has. */
    long endedNanos() {
        return endedNanos;
    }

    private boolean isPatient(long beganNanos) {
        long now = scheduler.clock().nanos();
        return Math.min(now - beganNanos, now - endedNanos) < Math.max(PATIENCE_NANOS, 2 * sortNanos);
    }

    /** Those that are worth it, beginning with another one in every server. */
    private List<Long> large(Map<Long, Long> sizes, List<Long> segments) {
        List<Long> large = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            long segment = segments.get((int) Math.floorMod(epoch + i, (long) segments.size()));
            if (sizes.getOrDefault(segment, 0L) >= minBytes) {
                large.add(segment);
            }
        }
        return large;
    }

    /** Takes those that are sorted, and those that never will be, out of the list. */
    private void strikeOut(LogStream stream, Set<String> names, List<Long> left, Set<Long> sorted) {
        for (long segment : List.copyOf(left)) {
            if (isSorted(stream, names, segment)) {
                sorted.add(segment);
                left.remove(segment);
            } else if (unsortable.contains(SortedLog.path(stream, segment))) {
                left.remove(segment);
            }
        }
    }

    /** One that nobody has begun; if there is none, and our patience is over, one that another has begun. */
    private Optional<Long> choose(LogStream stream, Set<String> names, List<Long> left, boolean patient) {
        Optional<Long> free = left.stream()
                .filter(segment -> isFree(stream, names, segment, sorter()))
                .findFirst();
        return free.isPresent() || patient ? free : left.stream().findFirst();
    }

    /** What these segments are called when they are sorted. */
    private static Set<String> names(LogStream stream, Set<Long> sorted) {
        return sorted.stream()
                .map(segment -> FilePaths.name(SortedLog.path(stream, segment)))
                .collect(Collectors.toSet());
    }

    private static boolean isSorted(LogStream stream, Set<String> names, long segment) {
        return names.contains(FilePaths.name(SortedLog.path(stream, segment)));
    }

    /** Whether nobody but this sorter has begun it. */
    private static boolean isFree(LogStream stream, Set<String> names, long segment, String sorter) {
        String path = SortedLog.path(stream, segment);
        String own = FilePaths.name(SortedLog.unfinished(path, sorter));
        String begun = FilePaths.name(path) + ".";
        return names.stream().noneMatch(name -> name.startsWith(begun) && !name.equals(own));
    }

    private void sortInTurn(LogReader log, long segment) throws BigtableException {
        long began = scheduler.clock().nanos();
        sort(log, segment, sorter());
        endedNanos = scheduler.clock().nanos();
        sortNanos = endedNanos - began;
    }

    private void sort(LogReader log, long segment, String sorter) throws BigtableException {
        String path = SortedLog.path(log.stream(), segment);
        if (SortedLog.sort(files, log, segment, sorter)) {
            logger.info("{} is sorted", path);
        } else {
            (log.isWhole() ? unsortable : notFinal).add(path);
        }
    }

    private String sorter() {
        return Long.toString(epoch);
    }

    /** Another than that of loads, which so take a segment that it has begun, and does not end, as one of another server's. */
    private String earlySorter() {
        return sorter() + "-early";
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
