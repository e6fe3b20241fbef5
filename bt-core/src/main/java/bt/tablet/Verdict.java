package bt.tablet;

/** What becomes of a cell, and of those that follow it: the later, the less has to be read. */
enum Verdict {
    KEEP,
    DROP,
    /** And so all older versions of its column, whatever they are. */
    DROP_COLUMN,
    /** And so the rest of its row. */
    DROP_ROW;

    /** Of two filters of which one is enough. */
    static Verdict weaker(Verdict a, Verdict b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
