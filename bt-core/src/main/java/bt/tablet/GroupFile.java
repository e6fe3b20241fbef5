package bt.tablet;

import bt.base.BigtableException;
import bt.base.SharedIds;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.record.FamilyAges;
import bt.record.FamilyCount;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import bt.sstable.SSTableOptions;
import bt.sstable.SSTableWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A new SSTable of one locality group, while it is written. One thread. */
final class GroupFile {
    private final String path;
    private final LocalityGroup group;
    private final FileSpan span;
    private final TabletContext context;
    private final SSTableWriter writer;
    private final Map<Integer, FamilyCount> counts = new TreeMap<>();
    private final FileAges ages;
    private long deletions;
    private long versionDeletions;
    private long smallestTimestamp = Long.MAX_VALUE;
    private long largestTimestamp = Long.MIN_VALUE;

    private GroupFile(String path, LocalityGroup group, FileSpan span, TabletContext context, SSTableWriter writer) {
        this.path = path;
        this.group = group;
        this.span = span;
        this.context = context;
        this.writer = writer;
        this.ages = new FileAges(span, context.clock().micros());
    }

    static GroupFile create(LocalityGroup group, FileSpan span, TabletContext context) throws BigtableException {
        SSTableOptions byRow = new SSTableOptions(
                group.blockBytes(), group.codec(), group.bloom().bitsPerKey(), CellKey::rowPrefixLength);
        SSTableOptions options = group.bloom().byColumn() ? byRow.withColumns(CellKey::columnPrefixLength) : byRow;
        String path = context.names().next(context.files(), span.schema().id());
        boolean created = false;
        try {
            SSTableWriter writer = SSTableWriter.create(context.files(), path, options);
            created = true;
            return new GroupFile(path, group, span, context, writer);
        } finally {
            if (!created) {
                context.names().settle(path);
            }
        }
    }

    void add(Slice key, Slice value, Kind kind, int family) throws BigtableException {
        if (kind.level() == Level.COLUMN) {
            writer.add(key, value);
            FamilyCount count = counts.computeIfAbsent(family, id -> new FamilyCount(id, 0L, 0L));
            count.setCells(count.getCells() + 1);
            count.setBytes(count.getBytes() + key.length() + value.length());
        } else {
            writer.addDeletion(key, value);
        }
        ages.add(key, value, kind, family);
        long timestamp = CellKey.timestampOf(key);
        // The key of a deletion has the newest timestamp that it hides; how far down it goes is not looked at here.
        smallestTimestamp = Math.min(smallestTimestamp, kind.isDeletion() ? Long.MIN_VALUE : timestamp);
        largestTimestamp = Math.max(largestTimestamp, timestamp);
        deletions += kind.isDeletion() ? 1 : 0;
        versionDeletions += kind == Kind.DELETE_VERSION || kind == Kind.DELETE_VERSIONS ? 1 : 0;
    }

    FileReference finish() throws BigtableException {
        TableSchema schema = span.schema();
        // All of the group's families, not those that happen to have cells: a deletion of a row hides all of them.
        List<Integer> families = SharedIds.of(schema.families().stream()
                .filter(family -> family.localityGroup().equals(group.name()))
                .map(FamilySchema::id)
                .toList());
        List<FamilyAges> all = ages.finish();
        writer.finish(SSTableProperties.newBuilder()
                .setSmallestSequence(span.smallestSequence())
                .setLargestSequence(span.largestSequence())
                .setHighestServerTimestamp(span.highestServerTimestamp())
                .setSchemaVersion(schema.version())
                .setFamilies(new ArrayList<>(counts.values()))
                .setFamilyIds(families)
                .setCreator(context.names().creator())
                .setDeletions(deletions)
                .setVersionDeletions(versionDeletions)
                .setOldestDeletionMicros(oldestDeletionMicros(all))
                .setWrittenMicros(ages.writtenMicros())
                .setAges(all)
                .setSmallestTimestamp(smallestTimestamp)
                .setLargestTimestamp(largestTimestamp));
        return FileReference.newBuilder()
                .setPath(path)
                .setBytes(writer.bytes())
                .setFamilies(families)
                .setSmallestSequence(span.smallestSequence())
                .setLargestSequence(span.largestSequence())
                .build();
    }

    private static long oldestDeletionMicros(List<FamilyAges> ages) {
        return ages.stream().mapToLong(FamilyAges::getOldestDeletionMicros).reduce(0, ChangeTimes::earlier);
    }

    /** Nobody was told the name, so the file goes at once: where there is little room, who tries again must not fill it. */
    void abandon() {
        writer.abandon();
        try {
            context.files().delete(path);
        } catch (BigtableException ignored) {
            // The garbage collector finds it.
        }
        context.names().settle(path);
    }
}
