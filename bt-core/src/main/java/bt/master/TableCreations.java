package bt.master;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.model.TabletId;
import bt.record.CreationFile;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tables that were created, emptied or brought back, until all their tablets are served. Passes see to that whether it is
 * written here or not: this tells how far it is, and which tablet hinders it, under the next master too. Owned by the
 * master's thread.
 */
final class TableCreations implements TableWishes.Kind {
    private final WishFiles files;
    private final Map<Long, CreationFile> begun = new TreeMap<>();

    /** Those that somebody was told to be over: a server's death makes them no work again. */
    private final Set<Long> over = new HashSet<>();

    private TableCreations(WishFiles files) {
        this.files = files;
    }

    /** With those that earlier masters have begun. */
    static TableCreations load(WishFiles files) throws BigtableException {
        TableCreations creations = new TableCreations(files);
        files.read(CreationFile.class, (file, found) -> creations.begun.put(file.getTableId(), file));
        return creations;
    }

    /** Before the table's file says that there is one: of a table that does not come to be it is forgotten by the next look. */
    void begin(CreationFile file) throws BigtableException {
        files.write(file.getTableId(), file);
        begun.put(file.getTableId(), file);
    }

    @Override
    public Set<Long> tables() {
        return Set.copyOf(begun.keySet());
    }

    @Override
    public WorkLine begin(WorkOnTable asked, TableRecord table, WorkSight seen) throws BigtableException {
        throw new RejectedException(
                "table " + table.getName() + " is there already, and a creation begins with its table",
                "look at the table that there is");
    }

    /** Who has created it asks for this too, once METADATA tells that all its tablets are served: our looks come later. */
    @Override
    public void forget(long tableId) throws BigtableException {
        files.delete(tableId);
        begun.remove(tableId);
        over.remove(tableId);
    }

    @Override
    public List<WorkLine> lines(WorkSight seen) {
        List<WorkLine> lines = new ArrayList<>();
        for (CreationFile file : begun.values()) {
            int left = over.contains(file.getTableId()) ? 0 : left(file, seen);
            if (left == 0) {
                over.add(file.getTableId());
            } else {
                Optional<String> unserved = seen.unserved(seen.tablets(file.getTableId()).stream());
                lines.add(new WorkLine(file.getTable(), TableWork.CREATION, left, unserved.orElse(null), List.of()));
            }
        }
        return lines;
    }

    /** As many as it was created with while no pass has seen them. */
    private static int left(CreationFile file, WorkSight seen) {
        Set<TabletId> tablets = seen.tablets(file.getTableId());
        return tablets.isEmpty()
                ? Math.max(1, file.getTablets())
                : seen.sight().unserved(tablets).size();
    }

    @Override
    public boolean look(long tableId, Set<TabletId> tablets, Sight sight) {
        return sight.unserved(tablets).isEmpty();
    }
}
