package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import org.jspecify.annotations.Nullable;

/** Asks about rows alone, and of each once. */
final class RowTest implements CellFilter {
    /** A read shows one object for all cells of a row. */
    private @Nullable Bytes row;

    private boolean passes;

    private final Question<Bytes> question;

    RowTest(Question<Bytes> question) {
        this.question = question;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Another object of the same row is asked about once more.
    public Verdict judge(Candidate cell) throws BigtableException {
        Bytes present = cell.row();
        if (present != row) {
            passes = question.holds(present);
            row = present;
        }
        return passes ? Verdict.KEEP : Verdict.DROP_ROW;
    }
}
