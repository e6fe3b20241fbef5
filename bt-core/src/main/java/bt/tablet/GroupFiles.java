package bt.tablet;

import bt.base.BigtableException;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.record.FileReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * New SSTables, one for each locality group that has something to be written. A deletion of a row goes into the file of
 * every group that is given: a read opens only the files of the families that it wants. One thread.
 */
final class GroupFiles {
    private final List<LocalityGroup> groups;
    private final FileSpan span;
    private final TabletContext context;
    private final Map<String, GroupFile> files = new LinkedHashMap<>();
    /** Where the cells of this family go: mostly those of the next entry too. */
    private @Nullable GroupFile last;

    private int lastFamily;

    /** Row deletions go to these groups; families belong to no others. */
    GroupFiles(List<LocalityGroup> groups, FileSpan span, TabletContext context) {
        this.groups = groups;
        this.span = span;
        this.context = context;
    }

    /** Adds an entry of the family, which is {@link CellKey#ROW_LEVEL} for a deletion of a row. */
    void add(Slice key, Slice value, int family) throws BigtableException {
        Kind kind = CellKey.kindOf(key);
        if (kind.level() == Level.ROW) {
            for (LocalityGroup group : groups) {
                file(group).add(key, value, kind, family);
            }
            return;
        }
        GroupFile here = last;
        if (here == null || family != lastFamily) {
            // A family that is not there any more was dropped: its cells go no further.
            Optional<FamilySchema> known = span.schema().family(family);
            if (known.isEmpty()) {
                return;
            }
            here = file(span.schema().group(known.get().localityGroup()));
            last = here;
            lastFamily = family;
        }
        here.add(key, value, kind, family);
    }

    /** References to the files, which are complete and on disk; none where nothing was added. */
    List<FileReference> finish() throws BigtableException {
        List<FileReference> references = new ArrayList<>();
        for (GroupFile file : files.values()) {
            references.add(file.finish());
        }
        return references;
    }

    /** Leaves files that nobody names. Never fails. */
    void abandon() {
        files.values().forEach(GroupFile::abandon);
    }

    private GroupFile file(LocalityGroup group) throws BigtableException {
        GroupFile file = files.get(group.name());
        if (file == null) {
            file = GroupFile.create(group, span, context);
            files.put(group.name(), file);
        }
        return file;
    }
}
