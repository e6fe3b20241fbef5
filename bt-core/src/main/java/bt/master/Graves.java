package bt.master;

import bt.base.Scheduler;
import bt.fs.FileStore;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.record.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The dead servers, on their way to being replaced. A tablet that a dead server served may be loaded elsewhere when two things
 * have happened: the lease by which it could still have answered reads has run out, and every segment of its log that may hold
 * writes of such a tablet is closed to it, so that nothing can be acknowledged any more. METADATA's tablets have segments of
 * their own, and wait for no other. What it was only to load waits for neither: it answered no reads of that, and its log holds
 * nothing of it. Owned by the master's thread.
 */
final class Graves {
    /** Of a log that cannot be closed for so long all is sorted by then that can be. */
    private static final long OPEN_MILLIS = 60_000;

    private static final int MOST_LEASES = 10_000;

    private final FileStore files;
    private final Scheduler scheduler;
    private final Workers workers;
    private final long leaseMillis;
    private final Runnable whenClosed;
    private final Map<Long, Grave> graves = new HashMap<>();

    /** Of servers by their epochs, as long as their files told. */
    private final Map<Long, Long> leases = new LinkedHashMap<>();

    /** How often the master has looked at the cluster, which it cannot once another rules. */
    private long looks;

    /** Epochs of servers whose processes are known to have ended. */
    private final Set<Long> proven = new HashSet<>();

    /**
     * The lease is that of this process's settings, which those of servers may differ from while they are being changed.
     * {@code whenClosed} is run, on any thread, when a log has come to where more tablets may be loaded.
     */
    Graves(FileStore files, Scheduler scheduler, Workers workers, long leaseMillis, Runnable whenClosed) {
        this.files = files;
        this.scheduler = scheduler;
        this.workers = workers;
        this.leaseMillis = leaseMillis;
        this.whenClosed = whenClosed;
    }

    /** The process of the server with this epoch has ended: nobody answers reads under its lease. */
    void prove(long epoch) {
        proven.add(epoch);
    }

    /** There is such a server. */
    void met(Member server) {
        if (server.leaseMillis() > 0) {
            leases.put(server.epoch(), server.leaseMillis());
            if (leases.size() > MOST_LEASES) {
                leases.remove(leases.keySet().iterator().next());
            }
        }
    }

    /** For so long a server may have answered reads after it lost its lock: of one that is not known, as long as any. */
    private long leaseMillis(long epoch) {
        Long told = leases.get(epoch);
        return Math.max(
                leaseMillis,
                told != null
                        ? told
                        : leases.values().stream()
                                .mapToLong(Long::longValue)
                                .max()
                                .orElse(0));
    }

    /**
     * The master, still ruling, has looked at the cluster. Who lives or may return after all, and whose log is not being closed, has not died:
     * its lease is counted from its death.
     */
    void looked(Sight sight) {
        looks++;
        graves.entrySet()
                .removeIf(grave -> grave.getValue().burial.isEmpty()
                        && (sight.holder(grave.getKey()).isPresent() || sight.mayReturn(grave.getKey())));
    }

    /**
     * Begins to close the log of a server that never serves again: without its file it does not, and what it still reads under
     * its lease loses nothing by that. The first call begins the wait for the lease: a new master that finds a location without
     * a server file cannot know for how long it has been so. The log is closed only after another look: a master that stood
     * still and rules no more may take a new server for a dead one.
     */
    void dig(long epoch) {
        Grave unused = begun(epoch);
    }

    private Grave begun(long epoch) {
        Grave grave =
                graves.computeIfAbsent(epoch, e -> new Grave(scheduler.clock().nanos(), looks));
        if (grave.burial.isEmpty() && (grave.firstLook != looks || proven.contains(epoch))) {
            grave.burial = Optional.of(Burial.begin(epoch, files, scheduler, workers, whenClosed));
        }
        return grave;
    }

    /** Whether tablets of METADATA, or of users, that the server had may be loaded by others. */
    private boolean isOver(long epoch, boolean ofMetadata) {
        return (proven.contains(epoch) || isKnownFor(epoch, leaseMillis(epoch)))
                && burial(epoch).filter(burial -> burial.isClosed(ofMetadata)).isPresent();
    }

    /** The same of users' tablets. Of some that the server has served: whoever loads these has to replay its log. */
    boolean isClosed(long epoch, boolean hasServed) {
        begun(epoch).needed |= hasServed;
        return isOver(epoch, false);
    }

    private Optional<Burial> burial(long epoch) {
        Grave grave = graves.get(epoch);
        return grave == null ? Optional.empty() : grave.burial;
    }

    /** The servers of which the log is being closed, or was, and some tablets wait for that or for the lease to end. */
    List<Long> open() {
        return graves.entrySet().stream()
                .filter(grave -> grave.getValue().needed)
                .map(Map.Entry::getKey)
                .filter(epoch -> !isOver(epoch, false) && !isKnownFor(epoch, OPEN_MILLIS))
                .sorted()
                .toList();
    }

    /**
     * The logs that whoever loads the tablet has to replay, its dead server's among them if that served it; empty while that
     * server may return, or, where it served the tablet, might still answer reads or what its log has of such tablets is not closed.
     */
    Optional<List<Long>> logsToReplay(MetadataRow row, Sight sight) {
        long dead = row.location().getEpoch();
        if (sight.mayReturn(dead)) {
            return Optional.empty();
        }
        Grave grave = begun(dead);
        if (!hasServed(row)) {
            // It has written nothing of it, and never will once the row is another. Its log may be gone: a tablet may
            // be
            // handed over to a server that died while its memory was written to files, and that no row named until
            // then.
            return Optional.of(List.copyOf(row.state().getLogs()));
        }
        grave.needed = true;
        if (!isOver(dead, isOfMetadata(row))) {
            return Optional.empty();
        }
        List<Long> logs = new ArrayList<>(row.state().getLogs());
        if (!logs.contains(dead)) {
            logs.add(dead);
        }
        return Optional.of(List.copyOf(logs));
    }

    /** Until it says there that it serves, a server takes no write and answers no read. */
    private static boolean hasServed(MetadataRow row) {
        return row.location().getPhase() == Phase.SERVING;
    }

    private static boolean isOfMetadata(MetadataRow row) {
        return row.id().tableId() == TableSchema.METADATA_ID;
    }

    /** Whether the log of the server with this epoch is closed to it, all of it; asks for nothing. */
    boolean isBuried(long epoch) {
        return burial(epoch)
                .filter(burial -> burial.isClosed(true) && burial.isClosed(false))
                .isPresent();
    }

    /** Whether the first question came that long ago. */
    boolean isKnownFor(long epoch, long millis) {
        Grave grave = graves.get(epoch);
        return grave != null && scheduler.clock().nanos() - grave.sinceNanos >= millis * 1_000_000;
    }

    /** The logs that are not closed yet though they should be, and why: their servers' tablets wait for that. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (boolean ofMetadata : List.of(true, false)) {
            graves.forEach((epoch, grave) -> grave.burial
                    .flatMap(burial -> burial.problem(ofMetadata))
                    .ifPresent(problem -> problems.add(
                            "the log of the dead server of epoch " + epoch + " cannot be closed: " + problem)));
        }
        return problems;
    }

    /** Whether the log that the tablet waits for is not closed, though it has been tried for so long. */
    boolean isStuck(MetadataRow row, long millis) {
        return hasServed(row) && isStuck(row.location().getEpoch(), isOfMetadata(row), millis);
    }

    /** The same of all users' tablets that the server had. */
    boolean isStuck(long epoch, long millis) {
        return isStuck(epoch, false, millis);
    }

    private boolean isStuck(long epoch, boolean ofMetadata, long millis) {
        return isKnownFor(epoch, millis)
                && burial(epoch).flatMap(burial -> burial.problem(ofMetadata)).isPresent();
    }

    /** What is known of one dead server. */
    private static final class Grave {
        private final long sinceNanos;
        private final long firstLook;
        private Optional<Burial> burial = Optional.empty();

        /** Whether it had tablets when it died. */
        private boolean needed;

        private Grave(long sinceNanos, long firstLook) {
            this.sinceNanos = sinceNanos;
            this.firstLook = firstLook;
        }
    }
}
