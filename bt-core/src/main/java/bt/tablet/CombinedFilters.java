package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import java.util.List;

/** The filters that others stand in. */
final class CombinedFilters {
    private CombinedFilters() {}

    /** A part of a chain. One that counts the cells of a row must be shown all that the parts before it let pass. */
    record Link(CellFilter filter, boolean counts) {}

    /** Each part is shown what the one before it kept. */
    record Chain(List<Link> links) implements CellFilter {
        @Override
        public Verdict judge(Candidate cell) throws BigtableException {
            boolean counted = false;
            for (Link link : links) {
                Verdict verdict = link.filter.judge(cell);
                if (verdict != Verdict.KEEP) {
                    // Older versions of the column are nothing to this part, but something to the one that counts.
                    return counted && verdict == Verdict.DROP_COLUMN ? Verdict.DROP : verdict;
                }
                counted |= link.counts;
            }
            return Verdict.KEEP;
        }
    }

    /** Every part is shown the cell as it came; the first that keeps it says how it goes on. */
    record Interleave(List<CellFilter> parts) implements CellFilter {
        @Override
        public Verdict judge(Candidate cell) throws BigtableException {
            boolean stripped = cell.isStripped();
            String label = cell.label();
            boolean keptStripped = false;
            String keptLabel = "";
            Verdict all = Verdict.DROP_ROW;
            for (CellFilter part : parts) {
                cell.set(stripped, label);
                Verdict verdict = part.judge(cell);
                if (verdict == Verdict.KEEP && all != Verdict.KEEP) {
                    keptStripped = cell.isStripped();
                    keptLabel = cell.label();
                }
                all = Verdict.weaker(all, verdict);
            }
            if (all == Verdict.KEEP) {
                cell.set(keptStripped, keptLabel);
            }
            return all;
        }
    }

    /** One of two, by a look at the row, of which the answer goes with a row that goes over pages. */
    record Condition(RowCounts answers, int number, Question<Bytes> asked, CellFilter then, CellFilter otherwise)
            implements CellFilter {
        private static final int YES = 1;
        private static final int NO = 2;

        @Override
        public Verdict judge(Candidate cell) throws BigtableException {
            if (answers.get(number) == 0) {
                answers.setForRow(number, asked.holds(cell.row()) ? YES : NO);
            }
            return (answers.get(number) == YES ? then : otherwise).judge(cell);
        }
    }
}
