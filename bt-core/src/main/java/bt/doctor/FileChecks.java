package bt.doctor;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.doctor.DoctorConfig.Depth;
import bt.doctor.TabletFacts.FileSight;
import bt.fs.FileInfo;
import bt.fs.FilePaths;
import bt.fs.FileStore;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import bt.sstable.Access;
import bt.sstable.BlockCache;
import bt.sstable.Cursor;
import bt.sstable.SSTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Looks at SSTables as deep as is wanted. Directories are listed once, until {@link #forget}. One thread. */
final class FileChecks {
    private final FileStore files;
    private final Depth depth;
    private final BlockCache noCache = BlockCache.ofBytes(0);
    private final Map<String, Map<String, Long>> listed = new HashMap<>();
    private long looked;

    FileChecks(FileStore files, Depth depth) {
        this.files = files;
        this.depth = depth;
    }

    /** From here on directories are listed anew: those that were listed before a row was read do not tell what it needs. */
    void forget() {
        listed.clear();
    }

    /** How many references were followed. */
    long looked() {
        return looked;
    }

    FileSight look(FileReference reference) {
        looked++;
        String path = reference.getPath();
        Optional<Long> bytes;
        try {
            bytes = bytes(path);
        } catch (BigtableException unlisted) {
            return new FileSight(reference, true, 0, Optional.empty(), unlisted.getMessage());
        }
        if (bytes.isEmpty() || depth == Depth.NAMES) {
            return new FileSight(reference, bytes.isPresent(), bytes.orElse(0L), Optional.empty(), "");
        }
        try (SSTable table = SSTable.open(files, path, noCache)) {
            if (depth == Depth.READ) {
                readAll(table);
            }
            return new FileSight(reference, true, bytes.get(), Optional.of(table.readProperties()), "");
        } catch (BigtableException unreadable) {
            return new FileSight(reference, true, bytes.get(), Optional.empty(), unreadable.getMessage());
        }
    }

    /** Every block, so every checksum; and the order and number of what is in them. */
    private static void readAll(SSTable table) throws BigtableException {
        SSTableProperties properties = table.properties();
        long entries = count(table, table.cursor(Access.COMPACTION)) + count(table, table.deletions(Access.COMPACTION));
        if (entries != properties.getEntries()) {
            throw new CorruptionException(
                    table.path() + ": " + entries + " entries, by its properties " + properties.getEntries());
        }
    }

    private static long count(SSTable table, Cursor cursor) throws BigtableException {
        long entries = 0;
        Bytes last = Bytes.EMPTY;
        while (cursor.next()) {
            Bytes key = cursor.key().toBytes();
            if (entries > 0 && key.compareTo(last) <= 0) {
                throw new CorruptionException(
                        table.path() + ": key " + key + " follows " + last + ", which is not below it");
            }
            last = key;
            entries++;
        }
        return entries;
    }

    private Optional<Long> bytes(String path) throws BigtableException {
        String directory = FilePaths.parent(path);
        Map<String, Long> names = listed.get(directory);
        if (names == null) {
            names = new HashMap<>();
            for (FileInfo file : files.list(directory)) {
                if (!file.directory()) {
                    names.put(file.name(), file.bytes());
                }
            }
            listed.put(directory, names);
        }
        return Optional.ofNullable(names.get(FilePaths.name(path)));
    }
}
