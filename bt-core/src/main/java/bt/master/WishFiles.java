package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What somebody has asked of tables and is not done: a file of the lock service for each, named by the table's id, so that the
 * next master goes on with it. The room is that of all directories together. The master's thread.
 */
record WishFiles(LockService locks, String directory, WishRoom room) {
    private static final Logger log = LoggerFactory.getLogger(WishFiles.class);

    /** Takes one that is there. */
    @FunctionalInterface
    interface Reader<T> {
        void take(T content, SmallFile file);
    }

    /** What earlier masters were asked for. */
    <T extends SpecificRecord> void read(Class<T> type, Reader<T> reader) throws BigtableException {
        List<String> paths = locks.children(directory).stream()
                .map(name -> directory + "/" + name)
                .toList();
        // Together: nobody rules before the next master has read the files of all tables.
        Iterator<Optional<SmallFile>> files = locks.readEach(paths).iterator();
        for (String path : paths) {
            Optional<SmallFile> found = files.next();
            if (found.isPresent()) {
                try {
                    reader.take(AvroBytes.decode(path, found.get().content(), type), found.get());
                    room.has(path, found.get().content().length());
                } catch (CorruptionException damaged) {
                    // Somebody may have to ask again; no master must fail for it.
                    log.warn("what was asked of a table is forgotten: {}", damaged.getMessage());
                }
            }
        }
    }

    /** Before more is asked of a table than was. OVERLOADED where there is no room for it; what goes on needs to ask nobody. */
    void checkRoom(long tableId, String table, SpecificRecord record) throws OverloadedException {
        room.check(path(tableId), AvroBytes.encode(record).length(), "table " + table);
    }

    SmallFile write(long tableId, SpecificRecord record) throws BigtableException {
        String path = path(tableId);
        Bytes content = AvroBytes.encode(record);
        Optional<SmallFile> there = locks.read(path);
        SmallFile written =
                there.isPresent() ? locks.write(path, content, there.get().version()) : locks.create(path, content);
        room.has(path, content.length());
        return written;
    }

    void delete(long tableId) throws BigtableException {
        locks.delete(path(tableId));
        room.forget(path(tableId));
    }

    String path(long tableId) {
        return directory + "/" + tableId;
    }
}
