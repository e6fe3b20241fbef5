package bt.doctor;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.ClusterFacts.MasterSight;
import bt.doctor.ClusterFacts.RightsSight;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.metadata.ClusterAccess;
import bt.metadata.TableFile;
import bt.model.Right;
import bt.record.MasterFile;
import bt.record.TableRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Collects what the lock service says of a cluster. One thread. */
final class ClusterReader {
    private static final int MAX_INSTANCE_BYTES = 100;

    private final LockService locks;
    private final FileStore files;
    private final ServerReader servers;

    ClusterReader(LockService locks, FileStore files, ServerReader servers) {
        this.locks = locks;
        this.files = files;
        this.servers = servers;
    }

    /** A cluster, and what its servers say of their tablets. */
    record Look(ClusterFacts cluster, Claims claims) {}

    Look look() throws BigtableException, InterruptedException {
        List<ServerSight> roll = servers.roll();
        Claims claims = new Claims(roll);
        List<ServerSight> asked = servers.ask(roll, (server, status) -> {
            if (status.getEpoch() == roll.get(server).epoch()) {
                status.getTablets().forEach(report -> claims.add(server, report));
            }
        });
        Optional<String> locked =
                locks.read(Paths.INSTANCE).map(file -> file.content().toUtf8());
        Map<String, String> damaged = new TreeMap<>();
        Map<Long, TableRecord> tables = tables(damaged);
        return new Look(new ClusterFacts(locked, filedInstance(), master(), asked, tables, damaged, rights()), claims);
    }

    /** Every table by its id, dropped ones too, but for those whose files are damaged. */
    Map<Long, TableRecord> tables() throws BigtableException {
        return tables(new TreeMap<>());
    }

    private Map<Long, TableRecord> tables(Map<String, String> damage) throws BigtableException {
        Map<Long, TableRecord> tables = new TreeMap<>();
        for (String name : locks.children(Paths.TABLES)) {
            String path = Paths.TABLES + "/" + name;
            Optional<SmallFile> file = locks.read(path);
            if (file.isPresent()) {
                try {
                    TableRecord table =
                            TableFile.decode("file " + path, file.get().content());
                    tables.put(table.getId(), table);
                } catch (CorruptionException damaged) {
                    damage.put(path, String.valueOf(damaged.getMessage()));
                }
            }
        }
        return tables;
    }

    /** Empty also where its file is damaged, which is told of the cluster. */
    Optional<TableRecord> table(long tableId) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.table(tableId));
        try {
            return file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            TableFile.decode("table " + tableId, file.get().content()));
        } catch (CorruptionException damaged) {
            return Optional.empty();
        }
    }

    private RightsSight rights() throws BigtableException {
        try {
            ClusterAccess access = ClusterAccess.read(locks);
            boolean isLed = access.list().isEmpty() || access.list().get().gives(Right.ADMIN);
            return new RightsSight(
                    access.version(), isLed ? Optional.empty() : Optional.of("the list names no administrator"));
        } catch (CorruptionException damaged) {
            return new RightsSight(
                    locks.read(Paths.ACCESS).map(SmallFile::version).orElse(ClusterAccess.NO_FILE),
                    Optional.of(String.valueOf(damaged.getMessage())));
        }
    }

    private Optional<MasterSight> master() throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.MASTER);
        Optional<Bytes> holder = locks.read(Paths.MASTER_LOCK).map(SmallFile::content);
        return file.map(master ->
                new MasterSight(master.version(), holder.isPresent(), holder.flatMap(nonce -> wrong(master, nonce))));
    }

    private static Optional<String> wrong(SmallFile master, Bytes holder) {
        try {
            MasterFile named = AvroBytes.decode("file " + Paths.MASTER, master.content(), MasterFile.class);
            return Bytes.utf8(named.getNonce()).equals(holder)
                    ? Optional.empty()
                    : Optional.of("who asks for the master is sent to " + named.getAddress() + ", the process of nonce "
                            + named.getNonce() + ", and the lock is held by that of nonce " + holder);
        } catch (CorruptionException damaged) {
            return Optional.of(damaged.getMessage());
        }
    }

    private Optional<String> filedInstance() throws BigtableException {
        if (files.list("").stream().noneMatch(file -> file.name().equals(Paths.INSTANCE))) {
            return Optional.empty();
        }
        try (FileReader file = files.open(Paths.INSTANCE)) {
            byte[] id = new byte[(int) Math.min(MAX_INSTANCE_BYTES, file.length())];
            file.readFully(0, id, 0, id.length);
            return Optional.of(Bytes.wrap(id).toUtf8());
        }
    }
}
