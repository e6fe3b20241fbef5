package bt.tabletserver;

import bt.base.RejectedException;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.Right;
import bt.model.RowMutation;
import bt.model.TableRights;
import bt.model.TableSchema;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.tablet.Shown;

/**
 * What rights a write needs: WRITE in each family that it may change, all of them where it deletes a row, and READ too
 * where it goes on from what is there; READ for what its condition names. One write; one thread.
 */
final class WriteRights {
    private final TableUser who;
    private final TableRights rights;
    private final TableSchema schema;

    WriteRights(TableUser who) {
        this.who = who;
        this.rights = who.rights();
        this.schema = who.schema();
    }

    /** REJECTED with the first right that is not there. */
    void check(Write write) throws RejectedException {
        if (rights.allow(Right.WRITE) && rights.allow(Right.READ) && rights.allow(Right.SCRIPT)) {
            return;
        }
        check(write.mutation());
        if (write.otherwise().isPresent()) {
            check(write.otherwise().get());
        }
        if (write.condition().isPresent()) {
            checkCondition(write.condition().get());
        }
    }

    private void check(RowMutation mutation) throws RejectedException {
        boolean deletesRow = false;
        for (Change change : mutation.changes()) {
            switch (change.kind()) {
                case SET_CELL -> need(Right.WRITE, ((Change.SetCell) change).column());
                case DELETE_ROW -> deletesRow = true;
                case DELETE_FAMILY -> who.need(Right.WRITE, ((Change.DeleteFamily) change).family());
                case DELETE_COLUMN -> need(Right.WRITE, ((Change.DeleteColumn) change).column());
                case DELETE_VERSIONS -> need(Right.WRITE, ((Change.DeleteVersions) change).column());
                case DELETE_VERSION -> need(Right.WRITE, ((Change.DeleteVersion) change).column());
                case INCREMENT, APPEND -> {
                    ColumnKey column = change.changed().orElseThrow();
                    need(Right.WRITE, column);
                    need(Right.READ, column);
                }
            }
        }
        if (deletesRow) {
            // Once, however often: a table may have hundreds of families, and a mutation a hundred thousand changes.
            for (FamilySchema family : schema.families()) {
                who.need(Right.WRITE, family);
            }
        }
    }

    private void checkCondition(Condition condition) throws RejectedException {
        switch (condition.kind()) {
            case NEWEST -> need(Right.READ, ((Condition.Newest) condition).column());
            case PASSES -> needShown(((Condition.Passes) condition).filter());
            case SHOWS -> {
                for (Condition.Seen seen : ((Condition.Shows) condition).seen()) {
                    needShown(seen.filter());
                }
            }
        }
    }

    private void needShown(Filter filter) throws RejectedException {
        Shown unused = who.shown(filter);
    }

    private void need(Right right, ColumnKey column) throws RejectedException {
        who.need(right, column.family());
    }
}
