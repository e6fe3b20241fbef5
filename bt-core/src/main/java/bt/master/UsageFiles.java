package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The files of the lock service in which the next master finds what tables with quotas take. They are written in rounds, a
 * second's worth with each look: of any number of tables the files are waited for one by one, and servers that die and
 * tablets that are nobody's wait with them. Owned by the master's thread.
 */
final class UsageFiles {
    /** From the beginning of a round to the next. */
    private static final long ROUND_NANOS = 5_000_000_000L;

    private static final long LOOK_NANOS = 1_000_000_000L;

    private final LockService locks;
    private final Scheduler scheduler;
    /** As we have read or written them last. */
    private final Map<Long, SmallFile> known = new HashMap<>();

    private long nextRoundNanos;
    private boolean isInRound;
    /** Of this round, the lowest table that has not had its turn. */
    private long nextTable;

    UsageFiles(LockService locks, Scheduler scheduler) {
        this.locks = locks;
        this.scheduler = scheduler;
        this.nextRoundNanos = scheduler.clock().nanos();
    }

    /** What was kept of each, in their order; empty where nothing was. */
    List<Optional<Bytes>> read(List<Long> tableIds) throws BigtableException {
        List<Optional<SmallFile>> files =
                locks.readEach(tableIds.stream().map(Paths::usage).toList());
        Iterator<Long> ids = tableIds.iterator();
        for (Optional<SmallFile> file : files) {
            long id = ids.next();
            known.remove(id);
            file.ifPresent(found -> known.put(id, found));
        }
        return files.stream().map(file -> file.map(SmallFile::content)).toList();
    }

    /** Goes on with a round, or begins one when its time has come. Files of other tables go, if these are all that there are. */
    void write(SortedMap<Long, TableUse> tables, boolean areAll) throws BigtableException {
        long begun = scheduler.clock().nanos();
        if (!isInRound) {
            if (begun - nextRoundNanos < 0) {
                return;
            }
            nextRoundNanos = begun + ROUND_NANOS;
            isInRound = true;
            nextTable = Long.MIN_VALUE;
            known.keySet().retainAll(tables.keySet());
        }
        for (Map.Entry<Long, TableUse> table : tables.tailMap(nextTable).entrySet()) {
            if (isOver(begun)) {
                return;
            }
            // First: one that cannot be written keeps none behind it from its turn.
            nextTable = table.getKey() + 1;
            write(table.getKey(), table.getValue().encode());
        }
        isInRound = false;
        if (areAll) {
            forgetOthers(tables, begun);
        }
    }

    private void write(long tableId, Bytes content) throws BigtableException {
        SmallFile before = known.get(tableId);
        if (before != null && before.content().equals(content)) {
            return;
        }
        String path = Paths.usage(tableId);
        // Until it is known how this ends: then the file is read again.
        known.remove(tableId);
        Optional<SmallFile> present = before == null ? locks.read(path) : Optional.of(before);
        known.put(
                tableId,
                present.isEmpty()
                        ? locks.create(path, content)
                        : locks.write(path, content, present.get().version()));
    }

    private void forgetOthers(SortedMap<Long, TableUse> tables, long begun) throws BigtableException {
        Set<String> wanted =
                tables.keySet().stream().map(id -> Long.toString(id)).collect(Collectors.toSet());
        for (String name : locks.children(Paths.USAGE)) {
            if (!wanted.contains(name)) {
                if (isOver(begun)) {
                    // The next round finds the rest.
                    return;
                }
                locks.delete(Paths.USAGE + "/" + name);
            }
        }
    }

    private boolean isOver(long begunNanos) {
        return scheduler.clock().nanos() - begunNanos >= LOOK_NANOS;
    }
}
