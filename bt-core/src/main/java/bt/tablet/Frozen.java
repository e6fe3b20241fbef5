package bt.tablet;

import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.tablet.FileSpan.Unjudged;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A memtable that takes no more writes, on its way to a file. Once its files are named by METADATA, together with its redo
 * point and timestamp, no log below is needed for it.
 */
public final class Frozen {
    private final Memtable memtable;
    private final TableSchema schema;
    private final long redoPoint;
    private final long lastServerTimestamp;
    private final List<OpenWrite> open;

    Frozen(Memtable memtable, TableSchema schema, long redoPoint, long lastServerTimestamp, List<OpenWrite> open) {
        this.memtable = memtable;
        this.schema = schema;
        this.open = List.copyOf(open);
        this.redoPoint = redoPoint;
        this.lastServerTimestamp = lastServerTimestamp;
    }

    /** The highest sequence that was assigned in the tablet before the freeze. */
    public long redoPoint() {
        return redoPoint;
    }

    /** The last timestamp that a server assigned in the tablet before the freeze; client timestamps never move it. */
    public long lastServerTimestamp() {
        return lastServerTimestamp;
    }

    /** Writes of the tablet up to the redo point, in files or not, whose clients may ask again. */
    public List<OpenWrite> open() {
        return open;
    }

    /** What its files follow. */
    public TableSchema schema() {
        return schema;
    }

    /** With what its changes were counted as one file in one, beside these files. */
    Frozen joined(List<TabletFile> files) {
        TableSchema joined =
                JoinedGroups.of(memtable.first(schema), files, schema).in(schema);
        return new Frozen(memtable, joined, redoPoint, lastServerTimestamp, open);
    }

    public long bytes() {
        return memtable.bytes();
    }

    /** All that is in it. Any thread. */
    public Changes changes() {
        return memtable.changes();
    }

    Memtable memtable() {
        return memtable;
    }

    FileSpan span() {
        return new FileSpan(
                schema,
                memtable.smallestSequence(),
                memtable.largestSequence(),
                memtable.highestServerTimestamp(),
                CompactionScope.NOTHING,
                unjudged());
    }

    private Map<Integer, Unjudged> unjudged() {
        Map<Integer, Unjudged> all = new HashMap<>();
        for (ChangeTimes times : memtable.times()) {
            long hidingPut = schema.family(times.family())
                    .map(family -> PurgePromise.hidingPutMicros(times, family))
                    .orElse(0L);
            GcRule rule =
                    schema.family(times.family()).map(FamilySchema::garbage).orElse(GcRule.KEEP_ALL);
            all.put(
                    times.family(),
                    new Unjudged(times.deletionMicros(), hidingPut, times.putMicros(), Expiry.mark(rule)));
        }
        return all;
    }
}
