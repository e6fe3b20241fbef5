package bt.doctor;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.doctor.ClusterReader.Look;
import bt.doctor.Expansion.Living;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import bt.log.LogStream;
import bt.record.TableRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks for what nobody needs, once METADATA has been read whole. One thread, once. */
final class Leftovers {
    private static final String DATA = "data";

    /** More than anybody reads. */
    private static final int MAX = 1_000;

    private final FileStore files;
    private final Walk walk;
    private final Look look;
    private final Clock clock;
    private final UnreferencedFiles ofFiles;
    private final UnneededLogs ofLogs;

    Leftovers(DoctorConfig config, FileStore files, Walk walk, Look look, Clock clock) {
        this.files = files;
        this.walk = walk;
        this.look = look;
        this.clock = clock;
        this.ofFiles = new UnreferencedFiles(config.graceMillis());
        this.ofLogs = new UnneededLogs(config.graceMillis());
    }

    /**
     * What no row of the first pass refers to. A split may have carried a reference from a row that was still to be read to
     * one that had been read, so METADATA is read a second time before anything is suspected.
     */
    void examine(Needs first, Suspicions suspicions) throws BigtableException, InterruptedException {
        List<StoredFile> unnamed = unnamedFiles(first);
        List<StoredLog> unneeded = unneededLogs(first);
        if (unnamed.isEmpty() && unneeded.isEmpty()) {
            return;
        }
        Needs second = new Needs();
        walk.all((Living tablet) -> second.add(tablet.row()));
        for (StoredFile file : unnamed) {
            if (!second.needsFile(file.path())) {
                suspicions.examine(ofFiles, file, () -> isThere(file.path()) ? Optional.of(file) : Optional.empty());
            }
        }
        for (StoredLog log : unneeded) {
            if (!second.needsLog(epoch(log.directory()))) {
                suspicions.examine(ofLogs, log, () -> isThere(log.directory()) ? Optional.of(log) : Optional.empty());
            }
        }
    }

    private List<StoredFile> unnamedFiles(Needs needs) throws BigtableException {
        List<StoredFile> found = new ArrayList<>();
        for (FileInfo table : files.list(DATA)) {
            for (FileInfo epoch : files.list(DATA + "/" + table.name())) {
                String directory = DATA + "/" + table.name() + "/" + epoch.name();
                for (FileInfo file : files.list(directory)) {
                    String path = directory + "/" + file.name();
                    StoredFile stored = new StoredFile(
                            path,
                            tableName(table.name()),
                            file.bytes(),
                            needs.needsFile(path),
                            file.modifiedMicros(),
                            clock.micros());
                    if (!ofFiles.check(stored).isEmpty() && found.size() < MAX) {
                        found.add(stored);
                    }
                }
            }
        }
        return found;
    }

    private List<StoredLog> unneededLogs(Needs needs) throws BigtableException {
        List<StoredLog> found = new ArrayList<>();
        for (String root : List.of(LogStream.LIVE, LogStream.RECOVERED)) {
            for (FileInfo entry : files.list(root)) {
                String directory = root + "/" + entry.name();
                long epoch = epoch(directory);
                boolean needed = needs.needsLog(epoch)
                        || look.cluster().servers().stream().anyMatch(server -> server.epoch() == epoch);
                long modified = entry.modifiedMicros();
                for (FileInfo segment : needed ? List.<FileInfo>of() : files.list(directory)) {
                    modified = Math.max(modified, segment.modifiedMicros());
                }
                StoredLog log = new StoredLog(directory, needed, modified, clock.micros());
                if (!ofLogs.check(log).isEmpty() && found.size() < MAX) {
                    found.add(log);
                }
            }
        }
        return found;
    }

    private boolean isThere(String path) throws BigtableException {
        return files.list(FilePaths.parent(path)).stream()
                .anyMatch(file -> file.name().equals(FilePaths.name(path)));
    }

    private String tableName(String id) {
        return look.cluster().tables().values().stream()
                .filter(table -> Long.toString(table.getId()).equals(id))
                .map(TableRecord::getName)
                .findFirst()
                .orElse(id.equals("0") ? "METADATA" : "#" + id);
    }

    private static long epoch(String directory) {
        String name = FilePaths.name(directory);
        return name.matches("[0-9]{1,18}") ? Long.parseLong(name) : -1;
    }
}
