package bt.script;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;

/** A script that is ready to run, shared by all reads of a server. */
public interface CompiledScript {
    /** An instance for one read. One thread at a time. */
    CellScript open(Bytes argument, ScriptBudget budget);

    /** A script at work on the cells of one read. */
    interface CellScript {
        /** Whether the read keeps the cell. REJECTED when the script fails or its budget is used up. */
        boolean keeps(Cell cell) throws RejectedException;
    }
}
