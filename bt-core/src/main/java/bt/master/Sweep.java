package bt.master;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.TableSchema;
import bt.record.GarbageReport;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One mark and sweep of garbage, a table at a time (section 5.2 of the paper says that the master collects it): SSTables that
 * no row names, logs of dead servers that no tablet needs, rows that were marked gone long ago, and at last what is left of
 * tables that are gone. What there is is listed first, then who may still name it is asked, then METADATA is read: so what
 * is listed and not named was either settled, and never will be named, or is left. One thread, once.
 */
final class Sweep {
    private static final Logger log = LoggerFactory.getLogger(Sweep.class);
    private static final String DATA = "data";
    private static final List<String> LOGS = List.of("log", "recovered");

    /** Deletions go no faster than one in so many milliseconds: they are never urgent. */
    private static final long PACE_MILLIS = 10;

    private final Ports ports;
    private final Graces graces;
    private final Waiting waiting;
    private final SweepTally tally;
    private final boolean dry;
    private final Set<Long> epochsNeeded = new HashSet<>();
    private OptionalLong nowMicros = OptionalLong.empty();
    private boolean logsAreKnown = true;

    Sweep(Ports ports, Graces graces, Waiting waiting, boolean dry) {
        this.ports = ports;
        this.graces = graces;
        this.waiting = waiting;
        this.tally = new SweepTally(ports.scheduler().clock(), dry);
        this.dry = dry;
    }

    /** What a sweep works through. The lock is the master's, and is renewed before anything is deleted. */
    record Ports(
            FileStore files,
            LockService locks,
            Lock lock,
            Catalogue catalogue,
            MetadataTable metadata,
            Poll poll,
            Scheduler scheduler,
            long masterEpoch) {}

    /** A sweep that failed ends where it failed, and has nothing deleted that it is not sure of. */
    GarbageReport run() throws InterruptedException {
        try {
            Set<String> logs = list(LOGS);
            Set<String> directories = list(tables());
            Creators creators = Creators.look(ports.locks(), ports.poll(), ports.masterEpoch());
            Map<Long, TableRecord> tables = ports.catalogue().tables();
            Optional<Long> table = Optional.of(TableSchema.METADATA_ID);
            while (table.isPresent()) {
                sweep(table.get(), Optional.ofNullable(tables.get(table.get())), directories, creators);
                table = next(table.get() + 1, tables, directories);
            }
            if (logsAreKnown) {
                sweepLogs(logs, creators);
            }
            return tally.report(Optional.empty());
        } catch (BigtableException failed) {
            log.warn("sweep of garbage: {}; tried again with the next", failed.getMessage());
            return tally.report(Optional.of(failed.getMessage()));
        }
    }

    private List<String> tables() throws BigtableException {
        return ports.files().list(DATA).stream()
                .filter(entry -> entry.directory() && isNumber(entry.name()))
                .map(entry -> DATA + "/" + entry.name())
                .toList();
    }

    /** Directories directly below, each named by the epoch of the server that made it. */
    private Set<String> list(List<String> parents) throws BigtableException {
        Set<String> found = new TreeSet<>();
        for (String parent : parents) {
            for (FileInfo entry : ports.files().list(parent)) {
                if (entry.directory() && isNumber(entry.name())) {
                    found.add(parent + "/" + entry.name());
                }
            }
        }
        return found;
    }

    /** The next table that is anywhere: in METADATA, in the lock service, or in files. */
    private Optional<Long> next(long from, Map<Long, TableRecord> tables, Set<String> directories)
            throws BigtableException, InterruptedException {
        Optional<Long> next = ports.metadata().nextTable(from);
        for (long id : tables.keySet()) {
            next = lower(next, id, from);
        }
        for (String directory : directories) {
            next = lower(next, TableFiles.number(FilePaths.parent(directory)), from);
        }
        return next;
    }

    private static Optional<Long> lower(Optional<Long> next, long id, long from) {
        return id >= from && (next.isEmpty() || id < next.get()) ? Optional.of(id) : next;
    }

    private void sweep(long id, Optional<TableRecord> record, Set<String> directories, Creators creators)
            throws BigtableException, InterruptedException {
        String data = DATA + "/" + id + "/";
        TableFiles listed = TableFiles.list(
                ports.files(),
                directories.stream().filter(at -> at.startsWith(data)).toList());
        boolean isThere = id == TableSchema.METADATA_ID
                || (record.isPresent() && record.get().getPhase() != TablePhase.GONE);
        Needs needs = Needs.of(id, isThere, ports.metadata(), ports.scheduler());
        epochsNeeded.addAll(needs.epochs());
        logsAreKnown &= !needs.hasIntents();
        tally.saw(listed.files());
        Set<String> unneeded = new TreeSet<>();
        listed.files().forEach((path, bytes) -> {
            if (!needs.file(path) && listed.isSettled(path, creators)) {
                unneeded.add(path);
            }
        });
        waiting.retain(path -> path.startsWith(data), unneeded);
        int left = listed.files().size() - delete(unneeded, listed.files());
        for (MetadataRow row : needs.gone()) {
            removeInTime(row);
        }
        for (String directory : listed.empty()) {
            if (creators.isDead(TableFiles.number(directory)) && !dry) {
                ports.files().delete(directory);
            }
        }
        if (!isThere && needs.isEmpty() && left == 0) {
            forget(id, record);
        }
    }

    /** How many were. */
    private int delete(Set<String> unneeded, Map<String, Long> bytes) throws BigtableException, InterruptedException {
        int deleted = 0;
        ports.lock().renew();
        for (String path : unneeded) {
            long left = waiting.millis(path, ports.scheduler().clock().nanos(), !dry);
            tally.found(path, bytes.getOrDefault(path, 0L), left);
            if (left == 0 && !dry) {
                boolean unused = ports.files().delete(path);
                waiting.forget(path);
                deleted++;
                ports.scheduler().pause(PACE_MILLIS);
            }
        }
        return deleted;
    }

    /** Whatever was decided on the row before it was marked has long arrived, and was refused. */
    private void removeInTime(MetadataRow row) throws BigtableException, InterruptedException {
        Optional<Long> since = ports.metadata().changedMicros(row.id());
        if (since.isPresent() && nowMicros() - since.get() >= graces.goneRowMillis() * 1_000 && !dry) {
            ports.metadata().remove(row);
            tally.removedRow();
        }
    }

    /** When the sweep met the first such row: once for all of them. */
    private long nowMicros() throws BigtableException {
        if (nowMicros.isEmpty()) {
            nowMicros = OptionalLong.of(new ServiceTime(ports.locks(), ports.lock()).micros());
        }
        return nowMicros.getAsLong();
    }

    /** Its id is never given again, so nothing can come to be there any more. */
    private void forget(long id, Optional<TableRecord> record) throws BigtableException {
        if (!dry) {
            ports.files().delete(DATA + "/" + id);
            if (record.isPresent()) {
                ports.locks().delete(Paths.table(id));
                tally.forgotTable();
                log.info(
                        "table {} (id {}) has nothing left, it is forgotten",
                        record.get().getName(),
                        id);
            }
        }
    }

    /** After a full pass: a dead server that no row names as its holder, or whose log it needs. */
    private void sweepLogs(Set<String> logs, Creators creators) throws BigtableException, InterruptedException {
        Set<String> unneeded = new TreeSet<>();
        for (String path : logs) {
            long epoch = TableFiles.number(path);
            if (creators.isDead(epoch) && !epochsNeeded.contains(epoch)) {
                unneeded.add(path);
            }
        }
        waiting.retain(path -> !path.startsWith(DATA), unneeded);
        ports.lock().renew();
        for (String path : unneeded) {
            long left = waiting.millis(path, ports.scheduler().clock().nanos(), !dry);
            tally.foundLog(path, bytes(path), left);
            if (left == 0 && !dry) {
                boolean unused = ports.files().delete(path);
                waiting.forget(path);
                log.info("{} is deleted: no tablet needs it", path);
                ports.scheduler().pause(PACE_MILLIS);
            }
        }
    }

    private long bytes(String directory) throws BigtableException {
        return ports.files().list(directory).stream().mapToLong(FileInfo::bytes).sum();
    }

    private static boolean isNumber(String name) {
        return name.matches("[0-9]{1,18}");
    }
}
