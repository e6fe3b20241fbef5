package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.record.TableUsage;
import bt.record.UserShare;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a table with quotas takes, in bytes of files on disk and of memtables, and what of that is whose, where users have
 * quotas. Users are as their connections said; what was there before anybody counted is nobody's. The paper has a quota
 * for each client of a shared table (section 8.3).
 */
public record TableUse(long bytes, SortedMap<String, Long> users) {
    public TableUse {
        users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
    }

    /** As the master wrote it some seconds ago; empty where it has not yet. */
    static Optional<TableUse> read(long tableId, LockService locks) throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.usage(tableId));
        if (file.isEmpty()) {
            return Optional.empty();
        }
        TableUsage usage = AvroBytes.decode(Paths.usage(tableId), file.get().content(), TableUsage.class);
        SortedMap<String, Long> users = new TreeMap<>();
        for (UserShare share : usage.getUsers()) {
            users.merge(share.getUser(), share.getBytes(), Long::sum);
        }
        users.remove("");
        return Optional.of(new TableUse(usage.getBytes(), users));
    }
}
