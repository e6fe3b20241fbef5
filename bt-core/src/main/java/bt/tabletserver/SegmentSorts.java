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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts segments of dead servers' logs before tablets of this server are loaded from them. One at a time, since a segment
 * is in memory meanwhile. Servers that recover the same log begin at different segments, and leave to each other what is
 * sorted already. Any thread.
 */
final class SegmentSorts {
    private static final Logger logger = LoggerFactory.getLogger(SegmentSorts.class);

    /** A segment that is much smaller than a full one is read faster than it is sorted. */
    private static final int MIN_SHARE = 64;

    private static final long TURN_MILLIS = 600_000;

    private final FileStore files;
    private final Scheduler scheduler;
    private final long epoch;
    private final long minBytes;

    /** Paths of what no SSTable takes. */
    private final Set<String> unsortable = ConcurrentHashMap.newKeySet();

    /** Completes when whoever sorts now has ended. */
    private final AtomicReference<CompletableFuture<Void>> turn =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    /** {@code epoch} is this server's, {@code segmentBytes} what a full segment has. */
    SegmentSorts(FileStore files, Scheduler scheduler, long epoch, long segmentBytes) {
        this.files = files;
        this.scheduler = scheduler;
        this.epoch = epoch;
        this.minBytes = segmentBytes / MIN_SHARE;
    }

    /** The segments that are sorted now: all of some size, unless they hold what no SSTable takes. */
    Set<Long> sort(LogReader log) throws BigtableException, InterruptedException {
        LogStream stream = log.stream();
        Map<String, Long> bytes = new HashMap<>();
        files.list(stream.directory()).forEach(file -> bytes.put(file.name(), file.bytes()));
        Set<Long> sorted = new TreeSet<>();
        List<Long> segments = log.segments();
        for (int i = 0; i < segments.size(); i++) {
            long segment = segments.get((int) Math.floorMod(epoch + i, (long) segments.size()));
            if (bytes.getOrDefault(FilePaths.name(stream.path(segment)), 0L) >= minBytes && isSorted(log, segment)) {
                sorted.add(segment);
            }
        }
        return sorted;
    }

    private boolean isSorted(LogReader log, long segment) throws BigtableException, InterruptedException {
        String path = SortedLog.path(log.stream(), segment);
        if (unsortable.contains(path) || exists(path)) {
            return !unsortable.contains(path);
        }
        CompletableFuture<Void> mine = takeTurn();
        try {
            if (!exists(path) && !unsortable.contains(path)) {
                if (SortedLog.sort(files, log, segment, Long.toString(epoch))) {
                    logger.info("{} is sorted", path);
                } else {
                    unsortable.add(path);
                }
            }
            return !unsortable.contains(path);
        } finally {
            mine.complete(null);
        }
    }

    private boolean exists(String path) throws BigtableException {
        return files.list(FilePaths.parent(path)).stream().map(FileInfo::name).anyMatch(FilePaths.name(path)::equals);
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
