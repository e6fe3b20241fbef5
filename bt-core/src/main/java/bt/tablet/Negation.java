package bt.tablet;

import bt.base.BigtableException;

/** What another does not let pass, which judges each cell by itself. What it lets pass is dropped with all that shares its fate. */
record Negation(CellFilter filter, Verdict dropped) implements CellFilter {
    @Override
    public Verdict judge(Candidate cell) throws BigtableException {
        return filter.judge(cell) == Verdict.KEEP ? dropped : Verdict.KEEP;
    }
}
