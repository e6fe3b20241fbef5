package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.metadata.MetadataRow;
import bt.record.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead servers, on their way to being replaced. A tablet of a dead server may be loaded elsewhere when two things
 * have happened: the lease by which it could still have answered reads has run out, and every segment of its log is
 * closed to it, so that nothing can be acknowledged any more. Owned by the master's thread; files are fenced by a pool.
 */
final class Graves {
    private static final Logger log = LoggerFactory.getLogger(Graves.class);
    private static final long FENCE_MILLIS = 60_000;

    /** Of a log that cannot be closed for so long all is sorted by then that can be. */
    private static final long OPEN_MILLIS = 60_000;

    private final FileStore files;
    private final Scheduler scheduler;
    private final Scheduler.WorkerPool diggers;
    private final long leaseMillis;
    private final Map<Long, Grave> graves = new HashMap<>();

    /** How often the master has looked at the cluster, which it cannot once another rules. */
    private long looks;

    /** Epochs of servers whose processes are known to have ended. */
    private final Set<Long> proven = new HashSet<>();

    Graves(FileStore files, Scheduler scheduler, Scheduler.WorkerPool diggers, long leaseMillis) {
        this.files = files;
        this.scheduler = scheduler;
        this.diggers = diggers;
        this.leaseMillis = leaseMillis;
    }

    /** The process of the server with this epoch has ended: nobody answers reads under its lease. */
    void prove(long epoch) {
        proven.add(epoch);
    }

    /** The master, still ruling, has looked at the cluster. */
    void looked() {
        looks++;
    }

    /**
     * True when the tablets of the server with this epoch may be loaded by others. The first question begins the wait:
     * a new master that finds a location without a server file cannot know for how long it has been so. Its log is closed
     * meanwhile: without its file the server never serves again, and what it still reads under its lease loses nothing by that.
     * Only after another look, though: a master that stood still and rules no more may take a new server for a dead one.
     */
    boolean isClosed(long epoch) {
        Grave grave =
                graves.computeIfAbsent(epoch, e -> new Grave(scheduler.clock().nanos(), looks));
        if (grave.burial == null) {
            if (grave.firstLook == looks && !proven.contains(epoch)) {
                return false;
            }
            grave.burial = bury(epoch);
        }
        if (!grave.burial.isDone()) {
            return false;
        }
        grave.problem = grave.burial.join();
        if (grave.problem.isPresent()) {
            grave.burial = null;
            return false;
        }
        grave.closed = proven.contains(epoch) || isKnownFor(epoch, leaseMillis);
        return grave.closed;
    }

    /** The same, of a tablet that has to replay its log. */
    private boolean isClosedFor(long epoch) {
        boolean closed = isClosed(epoch);
        Objects.requireNonNull(graves.get(epoch)).needed = true;
        return closed;
    }

    /** Begins to close the log of a server that never serves again, as the first question for it does. */
    void dig(long epoch) {
        boolean unused = isClosed(epoch);
    }

    /** The servers of which the log is being closed, or was, and some tablets wait for that or for the lease to end. */
    List<Long> open() {
        return graves.entrySet().stream()
                .filter(grave -> grave.getValue().needed && !grave.getValue().closed)
                .map(Map.Entry::getKey)
                .filter(epoch -> !isKnownFor(epoch, OPEN_MILLIS))
                .sorted()
                .toList();
    }

    /**
     * The logs that whoever loads the tablet has to replay, its dead server's among them if that served it; empty while that
     * server may return, or its log is not closed.
     */
    Optional<List<Long>> logsToReplay(MetadataRow row, Sight sight) {
        long dead = row.location().getEpoch();
        // Who was only to load it has written nothing of it, and never will once the row is another. Its log may be
        // gone: a tablet
        // may be handed over to a server that died while its memory was written to files, and that no row named until
        // then.
        boolean served = row.location().getPhase() == Phase.SERVING;
        if (sight.mayReturn(dead) || !(served ? isClosedFor(dead) : isClosed(dead))) {
            return Optional.empty();
        }
        List<Long> logs = new ArrayList<>(row.state().getLogs());
        if (served && !logs.contains(dead)) {
            logs.add(dead);
        }
        return Optional.of(List.copyOf(logs));
    }

    /** Whether the log of the server with this epoch is closed to it; asks for nothing. */
    boolean isBuried(long epoch) {
        Grave grave = graves.get(epoch);
        CompletableFuture<Optional<String>> burial = grave == null ? null : grave.burial;
        return burial != null && burial.isDone() && burial.join().isEmpty();
    }

    /** Whether the first question came that long ago. */
    boolean isKnownFor(long epoch, long millis) {
        Grave grave = graves.get(epoch);
        return grave != null && scheduler.clock().nanos() - grave.sinceNanos >= millis * 1_000_000;
    }

    /** The logs that could not be closed when it was last tried, and why: their servers' tablets wait for that. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        graves.forEach((epoch, grave) -> grave.problem.ifPresent(problem ->
                problems.add("the log of the dead server of epoch " + epoch + " cannot be closed: " + problem)));
        return problems;
    }

    /** Whether closing the log has failed, though it has been tried for so long. */
    boolean isStuck(long epoch, long millis) {
        Grave grave = graves.get(epoch);
        return grave != null && grave.problem.isPresent() && isKnownFor(epoch, millis);
    }

    /** Completes with the reason if it has failed. */
    private CompletableFuture<Optional<String>> bury(long epoch) {
        CompletableFuture<Optional<String>> done = new CompletableFuture<>();
        diggers.execute(() -> {
            try {
                closeLog(epoch);
                done.complete(Optional.empty());
            } catch (BigtableException failed) {
                log.warn("log of epoch {}: {}; tried again", epoch, failed.getMessage());
                done.complete(Optional.of(failed.getMessage()));
            } catch (InterruptedException stopped) {
                done.complete(Optional.of("this master stops"));
            } catch (RuntimeException | Error bug) {
                log.error("log of epoch {}; tried again", epoch, bug);
                done.complete(Optional.of(bug.toString()));
            }
        });
        return done;
    }

    /**
     * Rename, then fence. The rename keeps the dead server from making another segment, the fence takes the open ones
     * from it; either alone would leave a way to acknowledge a write that nobody replays.
     */
    private void closeLog(long epoch) throws BigtableException, InterruptedException {
        String closed = "recovered/" + epoch;
        if (contains(files.list("log"), epoch)) {
            files.rename("log/" + epoch, closed);
        }
        // Beside segments there may be a directory of sorted ones.
        List<String> segments = files.list(closed).stream()
                .filter(entry -> !entry.directory())
                .map(segment -> closed + "/" + segment.name())
                .toList();
        for (String segment : segments) {
            beginFence(segment);
        }
        for (String segment : segments) {
            files.fence(segment, FENCE_MILLIS);
        }
        log.info("log of epoch {} is closed: {} segments", epoch, segments.size());
    }

    /** Each takes seconds, which the file system needs and not we: so all begin before the first is waited for. */
    private void beginFence(String segment) throws InterruptedException {
        try {
            files.fence(segment, 0);
        } catch (BigtableException notYet) {
            log.debug("{}: {}", segment, notYet.getMessage());
        }
    }

    private static boolean contains(List<FileInfo> entries, long epoch) {
        return entries.stream().anyMatch(entry -> entry.name().equals(Long.toString(epoch)));
    }

    private static final class Grave {
        private final long sinceNanos;
        private final long firstLook;
        private @Nullable CompletableFuture<Optional<String>> burial;

        /** Whether its tablets may be loaded by others. */
        private boolean closed;

        /** Whether it had tablets when it died. */
        private boolean needed;

        /** Why its log could not be closed when that was last tried. */
        private Optional<String> problem = Optional.empty();

        private Grave(long sinceNanos, long firstLook) {
            this.sinceNanos = sinceNanos;
            this.firstLook = firstLook;
        }
    }
}
