package bt.tablet;

import bt.model.ColumnKey;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks about columns alone, and of each once. */
final class ColumnTest implements CellFilter {
    private final Predicate<ColumnKey> wanted;
    /** Most reads show one object for all cells of a column. */
    private @Nullable ColumnKey column;

    private Verdict verdict = Verdict.KEEP;

    ColumnTest(Predicate<ColumnKey> wanted) {
        this.wanted = wanted;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Another object of the same column is asked about once more.
    public Verdict judge(Candidate cell) {
        ColumnKey present = cell.column();
        if (present != column) {
            column = present;
            verdict = wanted.test(present) ? Verdict.KEEP : Verdict.DROP_COLUMN;
        }
        return verdict;
    }
}
