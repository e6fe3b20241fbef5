package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.metadata.RootRows;
import java.util.List;
import java.util.Optional;

/**
 * The first start of a cluster. Lock service and file store must both be empty, or carry the same instance id: a master
 * that takes a full file store for a new cluster would begin to write over it.
 */
public final class Bootstrap {
    static final String INSTANCE_FILE = "instance";
    private static final List<String> DIRECTORIES = List.of("log", "recovered", "data", "bulk", "snapshots", "trash");

    private final LockService locks;
    private final FileStore files;

    Bootstrap(LockService locks, FileStore files) {
        this.locks = locks;
        this.files = files;
    }

    /** REJECTED when a master could not begin over these two. Changes nothing. */
    public static void check(LockService locks, FileStore files) throws BigtableException {
        new Bootstrap(locks, files).look();
    }

    /** The instance id, made now if there was none. */
    String instance(String fresh) throws BigtableException {
        Ids found = look();
        if (found.locked().isEmpty()) {
            initialise(found.filed(), fresh);
        }
        for (String directory : List.of(Paths.SERVERS, Paths.TABLES)) {
            createUnlessThere(directory, Bytes.utf8("1"));
        }
        createUnlessThere(Paths.ROOT, RootRows.unassigned());
        return found.locked().orElse(found.filed().orElse(fresh));
    }

    /** The instance ids of lock service and file store. */
    private record Ids(Optional<String> locked, Optional<String> filed) {}

    private Ids look() throws BigtableException {
        Optional<String> locked =
                locks.read(Paths.INSTANCE).map(file -> file.content().toUtf8());
        Optional<String> filed = readInstanceFile();
        if (locked.isPresent() && !locked.equals(filed)) {
            throw new RejectedException(
                    "lock service holds instance " + locked.get() + ", the file store "
                            + filed.map(id -> "instance " + id).orElse("none")
                            + ": they belong to different clusters",
                    "point bt at the pair that belongs together");
        }
        if (locked.isEmpty()) {
            refuseExistingData(filed);
        }
        return new Ids(locked, filed);
    }

    /** What was acknowledged may lie in logs alone: a table that was never flushed has nothing below data. */
    private void refuseExistingData(Optional<String> filed) throws BigtableException {
        for (String directory : DIRECTORIES) {
            if (!files.list(directory).isEmpty()) {
                throw new RejectedException(
                        "the file store holds " + directory + " of instance " + filed.orElse("(unknown)")
                                + ", the lock service knows no cluster: nothing initialises over existing data",
                        "use its own lock service, or an empty root");
            }
        }
    }

    /**
     * The file store first: a crash between the two leaves a file store with an id and nothing else in it, which the
     * next start adopts. Tables without their lock service are never adopted.
     */
    private void initialise(Optional<String> filed, String fresh) throws BigtableException {
        if (filed.isEmpty()) {
            writeInstanceFile(Bytes.utf8(fresh).toArray());
        }
        for (String directory : DIRECTORIES) {
            files.makeDirectory(directory);
        }
        locks.create(Paths.INSTANCE, Bytes.utf8(filed.orElse(fresh)));
    }

    /** By rename, so that the file is whole or not there. */
    private void writeInstanceFile(byte[] id) throws BigtableException {
        String unfinished = INSTANCE_FILE + ".new";
        files.makeDirectory("");
        files.delete(unfinished);
        FileWriter writer = files.create(unfinished, FileStore.Placement.DATA);
        try {
            writer.append(id, 0, id.length);
            writer.close();
        } catch (BigtableException | RuntimeException failed) {
            writer.abandon();
            throw failed;
        }
        files.rename(unfinished, INSTANCE_FILE);
    }

    private Optional<String> readInstanceFile() throws BigtableException {
        boolean there = files.list("").stream().anyMatch(file -> file.name().equals(INSTANCE_FILE));
        if (!there) {
            return Optional.empty();
        }
        try (FileReader reader = files.open(INSTANCE_FILE)) {
            if (reader.length() > 100) {
                throw new CorruptionException(INSTANCE_FILE + ": " + reader.length() + " bytes are no instance id");
            }
            byte[] id = new byte[(int) reader.length()];
            reader.readFully(0, id, 0, id.length);
            return Optional.of(Bytes.wrap(id).toUtf8());
        }
    }

    private void createUnlessThere(String path, Bytes content) throws BigtableException {
        Optional<SmallFile> there = locks.read(path);
        if (there.isEmpty()) {
            locks.create(path, content);
        }
    }
}
