package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
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
    private final Frozen frozen;
    private final TabletContext context;
    private final SSTableWriter writer;
    private final Map<Integer, FamilyCount> counts = new TreeMap<>();

    private GroupFile(String path, LocalityGroup group, Frozen frozen, TabletContext context, SSTableWriter writer) {
        this.path = path;
        this.group = group;
        this.frozen = frozen;
        this.context = context;
        this.writer = writer;
    }

    static GroupFile create(LocalityGroup group, Frozen frozen, TabletContext context) throws BigtableException {
        SSTableOptions byRow = new SSTableOptions(
                group.blockBytes(), group.codec(), group.bloom().bitsPerKey(), CellKey::rowPrefixLength);
        SSTableOptions options =
                group.bloom().byColumn() ? byRow.withColumns(key -> CellKey.columnPrefixLength(Slice.of(key))) : byRow;
        String path = context.names().next(context.files(), frozen.schema().id());
        SSTableWriter writer = SSTableWriter.create(context.files(), path, options);
        return new GroupFile(path, group, frozen, context, writer);
    }

    void add(Bytes key, Bytes value, int family) throws BigtableException {
        writer.add(key, value);
        FamilyCount count = counts.computeIfAbsent(family, id -> new FamilyCount(id, 0L, 0L));
        count.setCells(count.getCells() + 1);
        count.setBytes(count.getBytes() + key.length() + value.length());
    }

    void addDeletion(Bytes key, Bytes value) throws BigtableException {
        writer.addDeletion(key, value);
    }

    FileReference finish() throws BigtableException {
        Memtable memtable = frozen.memtable();
        TableSchema schema = frozen.schema();
        // All of the group's families, not those that happen to have cells: a deletion of a row hides all of them.
        List<Integer> families = schema.families().stream()
                .filter(family -> family.localityGroup().equals(group.name()))
                .map(FamilySchema::id)
                .toList();
        writer.finish(SSTableProperties.newBuilder()
                .setSmallestSequence(memtable.smallestSequence())
                .setLargestSequence(memtable.largestSequence())
                .setHighestServerTimestamp(memtable.highestServerTimestamp())
                .setSchemaVersion(schema.version())
                .setFamilies(new ArrayList<>(counts.values()))
                .setFamilyIds(families)
                .setCreator(context.names().creator()));
        return FileReference.newBuilder()
                .setPath(path)
                .setBytes(writer.bytes())
                .setFamilies(families)
                .setSmallestSequence(memtable.smallestSequence())
                .setLargestSequence(memtable.largestSequence())
                .build();
    }

    void abandon() {
        writer.abandon();
    }
}
