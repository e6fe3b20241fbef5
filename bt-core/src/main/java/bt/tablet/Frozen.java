package bt.tablet;

import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.tablet.FileSpan.Unjudged;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A memtable that takes no more writes, on its way to a file. Once its files are named by METADATA, together with its redo
 * point and timestamp, no log below is needed for it.
 */
public final class Frozen {
    private final Memtable memtable;
    private final TableSchema schema;
    private final List<LocalityGroup> groups;
    private final long redoPoint;
    private final long lastServerTimestamp;
    private final List<OpenWrite> open;

    Frozen(Memtable memtable, TableSchema schema, long redoPoint, long lastServerTimestamp, List<OpenWrite> open) {
        this.memtable = memtable;
        this.schema = schema;
        this.groups = schema.groups();
        this.open = List.copyOf(open);
        this.redoPoint = redoPoint;
        this.lastServerTimestamp = lastServerTimestamp;
    }

    private Frozen(Frozen same, TableSchema schema, List<LocalityGroup> groups) {
        this.memtable = same.memtable;
        this.schema = schema;
        this.groups = groups;
        this.open = same.open;
        this.redoPoint = same.redoPoint;
        this.lastServerTimestamp = same.lastServerTimestamp;
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
        return new Frozen(this, joined, joined.groups());
    }

    /** For groups alone of which there is something, here, in these files or in other memtables: its deletions of rows hide nothing in others. */
    Frozen beside(List<TabletFile> files, List<Memtable> others) {
        Set<Integer> families = new HashSet<>();
        files.forEach(file -> families.addAll(file.families()));
        others.forEach(other -> families.addAll(other.families()));
        families.addAll(memtable.families());
        return new Frozen(this, schema, CompactionInputs.groups(families, schema));
    }

    /** Those of its schema that it becomes files of, where it has something for them. */
    List<LocalityGroup> groups() {
        return groups;
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
