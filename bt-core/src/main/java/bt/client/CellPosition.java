package bt.client;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.RowWalk;
import bt.protocol.RowResume;
import java.util.Optional;

/**
 * Where a read of cells stands between two pages, for whoever keeps nothing else of it: where its walk goes on, where in
 * the row there, and what its limits have been charged. The paper has no such thing.
 *
 * @param edge of what is left ({@link RowWalk#from})
 * @param resume where in the first row of that; empty at its beginning
 * @param rowHasBegun whether a cell of that row was given
 * @param taken in all pages; a row that has begun is not counted before it ends
 */
public record CellPosition(Bytes edge, Optional<RowResume> resume, boolean rowHasBegun, ReadAmount taken) {
    /** Whether a page ended inside a row. */
    public boolean isInsideRow() {
        return resume.isPresent();
    }

    /** Behind the same cell, in the row as it is by now: for when what its first page saw is gone. */
    public CellPosition latest() {
        return new CellPosition(edge, resume.map(RowResume::latest), rowHasBegun, taken);
    }

    /** What of the walk is left, its first ranges. REJECTED where the position is none of it. */
    RowWalk rest(RowWalk walk, int mostRanges) throws RejectedException {
        RowWalk rest = walk.from(edge, mostRanges);
        if (rest.isEmpty() || !rest.edge().equals(edge)) {
            throw new RejectedException(
                    "the position lies outside of this scan", "give it to the scan that it came from");
        }
        return rest;
    }

    /** What was taken, whether the row has begun, the edge, then where in the row, if it is inside one. */
    public Bytes encode() {
        Output out = new Output();
        out.varint(taken.rows()).varint(taken.cells()).varint(taken.bytes());
        out.u8(rowHasBegun ? 1 : 0).bytes(edge);
        resume.ifPresent(at -> at.encode(out));
        return out.toBytes();
    }

    /** REJECTED where it was not made by {@link #encode}. */
    public static CellPosition decode(Bytes encoded) throws RejectedException {
        Input in = Input.of("position", encoded);
        try {
            ReadAmount taken = new ReadAmount(count(in, "rows"), count(in, "cells"), count(in, "bytes"));
            boolean rowHasBegun = in.length("whether the row has begun", 1) == 1;
            Bytes edge = in.bytes("edge");
            Optional<RowResume> resume = in.remaining() == 0 ? Optional.empty() : Optional.of(RowResume.decode(in));
            in.end("the position");
            return new CellPosition(edge, resume, rowHasBegun, taken);
        } catch (CorruptionException foreign) {
            throw new RejectedException(
                    "the position of " + encoded.length() + " bytes is none of a scan of cells: " + foreign.fact(),
                    "give it to the scan that it came from");
        }
    }

    private static long count(Input in, String field) throws CorruptionException {
        long count = in.varint(field);
        if (count < 0) {
            throw in.corrupt(field + " " + count + " are less than none");
        }
        return count;
    }
}
