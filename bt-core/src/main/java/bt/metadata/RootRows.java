package bt.metadata;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.record.RootEvent;
import bt.record.RootRow;
import java.util.List;
import java.util.Optional;

/**
 * The root tablet's METADATA row, which lies in the lock service: the file {@code root}, whose version is the row's
 * generation, with its newest events. Encoded like the records in METADATA: one byte, the number of fields, then Avro.
 */
public final class RootRows {
    private RootRows() {}

    /** The content of the file in a cluster that has never run: a root tablet without files that nobody serves. */
    public static Bytes unassigned() {
        return MetadataRowCodec.record(
                new RootRow(TabletStates.unassigned(), TabletStates.empty(Optional.empty()), 0L, List.of()));
    }

    /** As new as the lock service's reads are. */
    static Optional<MetadataRow> read(LockService locks) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.ROOT);
        return file.isEmpty() ? Optional.empty() : Optional.of(decode(file.get()));
    }

    /** The same for a check, which damage does not end. */
    static Optional<SeenRow> look(LockService locks) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.ROOT);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        long changedMicros = file.get().modifiedMicros();
        try {
            return Optional.of(SeenRow.of(decode(file.get()), changedMicros));
        } catch (CorruptionException damaged) {
            Bytes key = MetadataKeys.of(MetadataSchema.ROOT);
            return Optional.of(new SeenRow(key, Optional.empty(), damaged.getMessage(), changedMicros));
        }
    }

    /** What happened to the root tablet, the oldest first of each history; empty where no master has ever run. */
    static List<RootEvent> events(LockService locks) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.ROOT);
        return file.isEmpty() ? List.of() : events(file.get());
    }

    static List<RootEvent> events(SmallFile file) throws CorruptionException {
        return record(file).getEvents();
    }

    static Bytes encode(MetadataRow row, List<RootEvent> events) {
        return MetadataRowCodec.record(new RootRow(row.location(), row.state(), row.masterEpoch(), events));
    }

    private static RootRow record(SmallFile file) throws CorruptionException {
        return MetadataRowCodec.record("file root", file.content(), RootRow.class);
    }

    static MetadataRow decode(SmallFile file) throws CorruptionException {
        RootRow root = record(file);
        return new MetadataRow(
                MetadataSchema.ROOT, file.version(), root.getMasterEpoch(), root.getLocation(), root.getState());
    }
}
