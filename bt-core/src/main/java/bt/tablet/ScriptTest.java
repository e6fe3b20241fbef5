package bt.tablet;

import bt.base.BigtableException;
import bt.script.CompiledScript.CellScript;
import bt.sstable.ReadWork;

/** Asks a script, which may take seconds, between two looks at whether it is worth going on. */
final class ScriptTest implements CellFilter {
    /** A look costs about as much as a script that does next to nothing. */
    private static final int CELLS_PER_LOOK = 16;

    private final CellScript script;
    private int cells;

    ScriptTest(CellScript script) {
        this.script = script;
    }

    @Override
    public Verdict judge(Candidate cell) throws BigtableException {
        if (++cells % CELLS_PER_LOOK == 0) {
            ReadWork.ofThread().look();
        }
        return script.keeps(cell.cell()) ? Verdict.KEEP : Verdict.DROP;
    }
}
