package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Cell;
import bt.sstable.ReadWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gathers one page of the versions that a read sees. A page ends with a row, unless one row alone is too large for it, seen
 * or not: then it ends inside that row, and the next page goes on there. One page after the other; one thread.
 */
final class PageReader {
    /** What a cell costs in an answer beside its bytes, so that many empty ones fill a page too. */
    private static final int CELL_OVERHEAD_BYTES = 32;

    /** What the objects of a cell take beside its bytes, about. */
    private static final int CELL_OBJECTS_BYTES = 120;

    /** Of larger pages the list is not kept. */
    private static final int MAX_KEPT_CELLS = 1000;

    private final VersionFilter versions;
    private final Candidate cell;
    private final Progress page = new Progress();
    private final Progress beforeRow = new Progress();
    private List<Cell> cells = new ArrayList<>();
    private PageLimits limits = PageLimits.DEFAULT;
    private boolean isReversed;
    private long workBytes;
    /** Of what was not shown. */
    private long passedBytes;

    /** Of what it has looked at, steps of regular expressions, which count as bytes. */
    private long regexSteps;

    /** Whether it has gone through a range to its end. */
    private boolean hasWalked;

    /** Whether the next page goes on where this one ends and need not go over what this one has gone over. */
    private boolean endsAnywhere;

    private ReadWork work = ReadWork.ofThread();
    private int rows;

    PageReader(VersionFilter versions) {
        this.versions = versions;
        this.cell = new Candidate(versions);
    }

    /**
     * A page ends early once it has looked at so many bytes, or has passed so many that are not shown, or is overdue and has looked
     * at something.
     */
    PageReader begin(PageLimits pageLimits, long workBytesPerPage, boolean downwards) {
        limits = pageLimits;
        isReversed = downwards;
        workBytes = workBytesPerPage;
        passedBytes = 0;
        regexSteps = 0;
        hasWalked = false;
        endsAnywhere = true;
        work = ReadWork.ofThread();
        rows = 0;
        page.clear();
        beforeRow.clear();
        cells.clear();
        versions.values().begin(limits.bytes());
        return this;
    }

    /** Lets go of what it has read. */
    void end() {
        if (cells.size() > MAX_KEPT_CELLS) {
            cells = new ArrayList<>();
        }
        cells.clear();
    }

    /** These rows; the page, if it ends before they do. */
    Optional<Page> read(PageFilter filter) throws BigtableException {
        versions.tireAfter(Math.max(0, workBytes - passedBytes));
        return counted(walk(filter, versions.first(), Bytes.EMPTY, Bytes.EMPTY));
    }

    /** The rest of this row, of which an earlier page had what lies up to the key; the page, if it ends before the row does. */
    Optional<Page> goOn(PageFilter filter, Bytes row, Resume resume) throws BigtableException {
        versions.tireAfter(workBytes);
        if (!resume.hasMet()) {
            endsAnywhere = false;
            return counted(walk(filter, versions.first(), row, resume.afterKey()));
        }
        boolean rowSeen = Halt.goOn(resume, row, versions, filter);
        return counted(walk(filter, versions.firstBehind(), rowSeen ? row : Bytes.EMPTY, resume.afterKey()));
    }

    /** At the end of a walk, whether the page ends with it or not. */
    private Optional<Page> counted(Optional<Page> ended) {
        passedBytes += versions.hiddenBytes();
        hasWalked = true;
        return ended;
    }

    /** Of this page so far, shown to the filter or passed without; but for what the filter's conditions look at. */
    long lookedAtBytes() {
        return page.workBytes - regexSteps + passedBytes;
    }

    private Optional<Page> walk(PageFilter filter, boolean first, Bytes begun, Bytes afterKey)
            throws BigtableException {
        Bytes row = begun;
        for (boolean more = first; more; more = versions.next()) {
            if (!versions.row().equals(row)) {
                row = versions.row();
                endRow();
                if (isFull(filter.probedBytes())) {
                    return Optional.of(endBefore(row));
                }
                page.rowsSeen++;
            }
            show(filter, afterKey.isEmpty() || versions.key().compareWith(afterKey) > 0);
            if (isRowTooLarge()) {
                return Optional.of(beforeRow.kept == 0 ? endInside(true, filter, afterKey) : endBefore(row));
            }
        }
        if (versions.isTired()) {
            return Optional.of(endTired(row, filter, afterKey));
        }
        return Optional.empty();
    }

    /** Of {@code row} it was shown something, which need not be the row that made it tired. */
    private Page endTired(Bytes row, PageFilter filter, Bytes afterKey) {
        boolean rowSeen = versions.row().equals(row);
        if (!rowSeen) {
            endRow();
        }
        return versions.isInsideRow() && beforeRow.kept == 0
                ? endInside(rowSeen, filter, afterKey)
                : endBefore(versions.row());
    }

    /**
     * The page, if it ends before this row without a look at it: for walks that find their rows one by one, each of which
     * begins anew to count what it passes.
     */
    Optional<Page> endedBefore(Bytes row, PageFilter filter) {
        endRow();
        return isFull(filter.probedBytes()) || passedBytes >= workBytes
                ? Optional.of(endBefore(row))
                : Optional.empty();
    }

    /** The page, where it takes all there is; {@code beyond} is what comes next. */
    Page whole(Optional<Bytes> beyond) {
        return page.cellsSeen == 0 && page.rowsSeen == 0
                ? Page.nothing(beyond)
                : new Page(taken(cells.size()), beyond, Optional.empty(), page.rowsSeen, page.cellsSeen);
    }

    /** Most have one cell or none, for which a copy needs no array. */
    private List<Cell> taken(int count) {
        return count == 1 ? List.of(cells.get(0)) : List.copyOf(cells.subList(0, count));
    }

    private void endRow() {
        if (page.kept > beforeRow.kept) {
            rows++;
        }
        beforeRow.copy(page);
    }

    private boolean isFull(long probedBytes) {
        return rows >= limits.rows()
                || page.kept >= limits.cells()
                || page.keptBytes >= limits.bytes()
                || page.workBytes + probedBytes >= workBytes
                || (work.isOverdue() && (hasWalked || page.rowsSeen > 0));
    }

    /** A cell that an earlier page had is shown to the filter all the same, which may count. */
    private void show(PageFilter filter, boolean isNew) throws BigtableException {
        versions.values().beginCell();
        Verdict verdict = filter.judge(cell.begin());
        if (isNew) {
            int keyBytes = CELL_OVERHEAD_BYTES
                    + versions.row().length()
                    + versions.column().qualifier().length();
            page.cellsSeen++;
            long steps = filter.takeRegexSteps();
            regexSteps += steps;
            page.workBytes += keyBytes + versions.value().length() + steps;
            if (verdict == Verdict.KEEP) {
                int cellBytes = keyBytes + cell.value().length() + cell.label().length();
                page.kept++;
                page.keptBytes += cellBytes;
                cells.add(cell.cell());
                // In the answer's frame, and before that here.
                versions.hold(CELL_OBJECTS_BYTES + cellBytes + versions.values().addedBytes());
            }
        }
        versions.skip(verdict);
    }

    private boolean isRowTooLarge() {
        return page.keptBytes - beforeRow.keptBytes >= limits.bytes()
                || page.workBytes - beforeRow.workBytes >= workBytes
                || (work.isOverdue() && endsAnywhere && page.cellsSeen > 0);
    }

    private Page endBefore(Bytes row) {
        return new Page(
                taken(beforeRow.kept),
                Optional.of(edge(row)),
                Optional.empty(),
                beforeRow.rowsSeen,
                beforeRow.cellsSeen);
    }

    /** Behind the last key that was looked at; what was given before does not come again. */
    private Page endInside(boolean rowSeen, PageFilter filter, Bytes afterKey) {
        Bytes lastKey = versions.lastKey();
        boolean isBeyond = lastKey.compareTo(afterKey) > 0;
        Resume resume = new Resume(
                isBeyond ? lastKey : afterKey,
                versions.readSequence(),
                versions.nowMicros(),
                filter.countedBefore(versions.row(), versions.columnInside()),
                Halt.encode(rowSeen, isBeyond ? Bytes.EMPTY : lastKey, versions, filter)
                        .orElse(Bytes.EMPTY));
        return new Page(
                taken(cells.size()),
                Optional.of(edge(versions.row())),
                Optional.of(resume),
                page.rowsSeen,
                page.cellsSeen);
    }

    /** Where a walk goes on that is to look at this row next. */
    private Bytes edge(Bytes row) {
        return isReversed ? row.successor() : row;
    }

    /** How far the page has come. */
    private static final class Progress {
        int kept;
        long keptBytes;
        long workBytes;
        long rowsSeen;
        long cellsSeen;

        void clear() {
            kept = 0;
            keptBytes = 0;
            workBytes = 0;
            rowsSeen = 0;
            cellsSeen = 0;
        }

        void copy(Progress that) {
            kept = that.kept;
            keptBytes = that.keptBytes;
            workBytes = that.workBytes;
            rowsSeen = that.rowsSeen;
            cellsSeen = that.cellsSeen;
        }
    }
}
