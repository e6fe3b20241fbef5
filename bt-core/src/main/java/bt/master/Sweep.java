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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One mark and sweep of garbage, a table at a time, and some of its rows and files (section 5.2 of the paper says that the master
 * collects it): SSTables that no row names, logs of dead servers that no tablet needs, rows that were marked gone long ago, and at last what is left of
 * tables that are gone. What there is is listed first, then who may still name it is asked, then METADATA is read: so what
 * is listed and not named was either settled, and never will be named, or is left. One thread, once.
 */
final class Sweep {
    private static final Logger log = LoggerFactory.getLogger(Sweep.class);
    private static final String DATA = "data";
    private static final List<String> LOGS = List.of("log", "recovered");

    /** So many paths are a hundred megabytes; for each so many a table's rows are read once. */
    private static final int FILES_AT_A_TIME = 500_000;

    /** Behind each deletion, or each few of them: they are never urgent, but there may be no more of them than are made meanwhile. */
    private static final long PACE_MILLIS = 10;

    /** Behind so many it is looked again whether this is the master still. */
    private static final int DELETIONS_A_RENEWAL = 1_000;

    /** For each so many files that nothing needs one deletion more goes before a pause. */
    private static final int FILES_A_STEP = 25_000;

    private final Ports ports;
    private final GoneRows goneRows;
    private final Waiting waiting;
    private final SweepTally tally;
    private final boolean dry;
    private final NeededLogs neededLogs = new NeededLogs();
    private final int filesAtATime;

    /** Other threads look at it. */
    private volatile int tablesLeft = 1;

    /** Directories that were listed, pages of rows that were read and paths that were deleted. Other threads look at it. */
    private final AtomicLong steps = new AtomicLong();

    Sweep(Ports ports, Graces graces, Waiting waiting, boolean dry) {
        this(ports, graces, waiting, dry, FILES_AT_A_TIME);
    }

    /** For tests, with fewer files and rows at a time. */
    Sweep(Ports ports, Graces graces, Waiting waiting, boolean dry, int filesAtATime) {
        this.filesAtATime = filesAtATime;
        this.ports = ports;
        this.waiting = waiting;
        this.tally = new SweepTally(ports.scheduler().clock(), dry);
        this.dry = dry;
        this.goneRows = new GoneRows(
                ports,
                graces,
                tally,
                dry,
                new GoneRows.Most(Math.min(GoneRows.Most.USUAL.rows(), filesAtATime), GoneRows.Most.USUAL.nameBytes()));
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
            int left = count(tables.keySet(), directories);
            tablesLeft = left;
            Optional<Long> table = Optional.of(TableSchema.METADATA_ID);
            while (table.isPresent()) {
                sweep(table.get(), Optional.ofNullable(tables.get(table.get())), directories, creators);
                table = next(table.get() + 1, tables, directories);
                left = Math.max(1, left - 1);
                tablesLeft = left;
            }
            if (neededLogs.isKnown()) {
                sweepLogs(logs, creators);
            }
            return tally.report(Optional.empty());
        } catch (BigtableException failed) {
            log.warn("sweep of garbage: {}; tried again with the next", failed.getMessage());
            return tally.report(Optional.of(failed.getMessage()));
        }
    }

    /** How many tables are to be looked at still, of those that could be told at the beginning; at least 1 until it is over. */
    int tablesLeft() {
        return tablesLeft;
    }

    /** Rises while it gets on. */
    long steps() {
        return steps.get();
    }

    private List<FileInfo> listed(String directory) throws BigtableException {
        List<FileInfo> found = ports.files().list(directory);
        steps.incrementAndGet();
        return found;
    }

    /** METADATA, and what is in the lock service or in files. */
    private static int count(Set<Long> tables, Set<String> directories) {
        Set<Long> all = new TreeSet<>(tables);
        all.add(TableSchema.METADATA_ID);
        directories.forEach(directory -> all.add(TableFiles.number(FilePaths.parent(directory))));
        return all.size();
    }

    private List<String> tables() throws BigtableException {
        return listed(DATA).stream()
                .filter(entry -> entry.directory() && isNumber(entry.name()))
                .map(entry -> DATA + "/" + entry.name())
                .toList();
    }

    /** Directories directly below, each named by the epoch of the server that made it. */
    private Set<String> list(List<String> parents) throws BigtableException {
        Set<String> found = new TreeSet<>();
        for (String parent : parents) {
            for (FileInfo entry : listed(parent)) {
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
        boolean isThere = id == TableSchema.METADATA_ID
                || (record.isPresent() && record.get().getPhase() != TablePhase.GONE);
        Mark mark = new Mark(id, isThere, ports.metadata(), ports.scheduler());
        FileChunks chunks = new FileChunks(
                ports.files(),
                directories.stream().filter(at -> at.startsWith(data)).toList(),
                filesAtATime);
        tally.sawTable();
        found(directory -> directory.startsWith(data) && !directories.contains(directory), Set.of());
        boolean hasRows = false;
        boolean isFirst = true;
        int left = 0;
        do {
            TableFiles listed = chunks.next();
            steps.incrementAndGet();
            Unneeded unneeded = Unneeded.of(listed, creators);
            // What does not concern these files the first walk sees.
            boolean seesAll = isFirst;
            if (seesAll || !unneeded.paths().isEmpty()) {
                hasRows |= mark.run(rows -> {
                    steps.incrementAndGet();
                    rows.forEach(unneeded::saw);
                    if (seesAll) {
                        see(rows);
                    }
                });
            }
            if (seesAll) {
                removeGone(mark);
            }
            left += sweep(listed, unneeded.paths(), creators);
            isFirst = false;
        } while (chunks.hasNext());
        if (!isThere && !hasRows && left == 0) {
            forget(id, record);
        }
    }

    private void see(List<MetadataRow> rows) throws BigtableException, InterruptedException {
        for (MetadataRow row : rows) {
            neededLogs.saw(row);
            if (row.gone()) {
                goneRows.saw(row);
            }
        }
    }

    /** All rows of the table were seen, and followed each other. */
    private void removeGone(Mark mark) throws BigtableException, InterruptedException {
        while (goneRows.remove()) {
            boolean unused = mark.run(rows -> {
                steps.incrementAndGet();
                for (MetadataRow row : rows) {
                    if (row.gone()) {
                        goneRows.saw(row);
                    }
                }
            });
        }
    }

    /** How many of the files are left. */
    private int sweep(TableFiles listed, Set<String> unneeded, Creators creators)
            throws BigtableException, InterruptedException {
        tally.saw(listed.files());
        Set<String> looked = Set.copyOf(listed.directories());
        found(looked::contains, unneeded);
        int left = listed.files().size() - delete(unneeded, listed.files());
        for (String directory : listed.empty()) {
            if (creators.isDead(TableFiles.number(directory)) && !dry) {
                ports.files().delete(directory);
            }
        }
        return left;
    }

    private void found(Predicate<String> looked, Set<String> unneeded) {
        waiting.found(looked, unneeded, ports.scheduler().clock().nanos(), !dry);
    }

    /** How many were. */
    private int delete(Set<String> unneeded, Map<String, Long> bytes) throws BigtableException, InterruptedException {
        int deleted = 0;
        int atOnce = 1 + unneeded.size() / FILES_A_STEP;
        ports.lock().renew();
        for (String path : unneeded) {
            long left = waiting.millis(path, ports.scheduler().clock().nanos());
            tally.found(path, bytes.getOrDefault(path, 0L), left);
            if (left == 0 && !dry) {
                boolean unused = ports.files().delete(path);
                deleted++;
                steps.incrementAndGet();
                if (deleted % atOnce == 0) {
                    ports.scheduler().pause(PACE_MILLIS);
                }
                if (deleted % DELETIONS_A_RENEWAL == 0) {
                    ports.lock().renew();
                }
            }
        }
        return deleted;
    }

    /** Its id is never given again, so nothing can come to be there any more. */
    private void forget(long id, Optional<TableRecord> record) throws BigtableException {
        if (!dry) {
            found(directory -> directory.startsWith(DATA + "/" + id + "/"), Set.of());
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
            if (creators.isDead(epoch) && !neededLogs.has(epoch)) {
                unneeded.add(path);
            }
        }
        found(LOGS::contains, unneeded);
        ports.lock().renew();
        for (String path : unneeded) {
            long left = waiting.millis(path, ports.scheduler().clock().nanos());
            tally.foundLog(path, bytes(path), left);
            if (left == 0 && !dry) {
                boolean unused = ports.files().delete(path);
                log.info("{} is deleted: no tablet needs it", path);
                steps.incrementAndGet();
                ports.scheduler().pause(PACE_MILLIS);
            }
        }
    }

    private long bytes(String directory) throws BigtableException {
        return listed(directory).stream().mapToLong(FileInfo::bytes).sum();
    }

    private static boolean isNumber(String name) {
        return name.matches("[0-9]{1,18}");
    }
}
