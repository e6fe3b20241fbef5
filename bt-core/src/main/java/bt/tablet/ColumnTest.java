package bt.tablet;

import bt.base.BigtableException;
import bt.model.ColumnKey;
import org.jspecify.annotations.Nullable;

/** Asks about columns alone, and of each once. */
final class ColumnTest implements CellFilter {
    private final Question<ColumnKey> wanted;
    /** Most reads show one object for all cells of a column. */
    private @Nullable ColumnKey column;

    private Verdict verdict = Verdict.KEEP;

    ColumnTest(Question<ColumnKey> wanted) {
        this.wanted = wanted;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Another object of the same column is asked about once more.
    public Verdict judge(Candidate cell) throws BigtableException {
        ColumnKey present = cell.column();
        if (present != column) {
            verdict = wanted.holds(present) ? Verdict.KEEP : Verdict.DROP_COLUMN;
            column = present;
        }
        return verdict;
    }
}
