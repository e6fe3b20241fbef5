package bt.tablet;

import bt.base.BigtableException;

/** A part of a filter at work on the cells of one page, which it is shown in order, where they lie. One thread. */
interface CellFilter {
    /** About the cell that the read stands at, which it may change for those that come after it. */
    Verdict judge(Candidate cell) throws BigtableException;
}
