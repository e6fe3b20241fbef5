package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.CellKey.Level;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.sstable.Cursor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a frozen memtable to one SSTable for each locality group that has something in it (section 5.4 of the paper).
 * Everything is kept. A deletion of a row goes into the file of every group: a read opens only the files of the families
 * that it wants. One thread, once.
 */
public final class MinorCompaction {
    private final Frozen frozen;
    private final TabletContext context;
    private final Map<String, GroupFile> files = new LinkedHashMap<>();

    private MinorCompaction(Frozen frozen, TabletContext context) {
        this.frozen = frozen;
        this.context = context;
    }

    /**
     * References to the new files, which are complete and on disk; none when all families of the memtable were dropped
     * meanwhile. A failure leaves files that nobody names.
     */
    public static List<FileReference> write(Frozen frozen, TabletContext context) throws BigtableException {
        return new MinorCompaction(frozen, context).write();
    }

    private List<FileReference> write() throws BigtableException {
        try {
            Cursor cursor = frozen.memtable().cursor();
            while (cursor.next()) {
                add(cursor.key().toBytes(), cursor.value().toBytes());
            }
            List<FileReference> references = new ArrayList<>();
            for (GroupFile file : files.values()) {
                references.add(file.finish());
            }
            return references;
        } catch (BigtableException | RuntimeException e) {
            files.values().forEach(GroupFile::abandon);
            throw e;
        }
    }

    private void add(Bytes key, Bytes value) throws BigtableException {
        CellKey decoded = CellKey.decode(key);
        TableSchema schema = frozen.schema();
        if (decoded.kind().level() == Level.ROW) {
            for (LocalityGroup group : schema.groups()) {
                file(group).addDeletion(key, value);
            }
            return;
        }
        // A family that is not there any more was dropped: its cells go no further.
        Optional<FamilySchema> family = schema.family(decoded.family());
        if (family.isPresent()) {
            GroupFile file = file(schema.group(family.get().localityGroup()));
            if (decoded.kind().level() == Level.FAMILY) {
                file.addDeletion(key, value);
            } else {
                file.add(key, value, decoded.family());
            }
        }
    }

    private GroupFile file(LocalityGroup group) throws BigtableException {
        GroupFile file = files.get(group.name());
        if (file == null) {
            file = GroupFile.create(group, frozen, context);
            files.put(group.name(), file);
        }
        return file;
    }
}
