package bt.thrift.gateway;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.ReadAmount;
import bt.model.Row;
import bt.thrift.convert.ResumeToken;
import bt.thrift.convert.Rows;
import bt.thrift.gen.Page;
import java.util.ArrayList;
import java.util.List;

/** The rows that a page of a scan has so far. One thread. */
final class PageRows {
    private final AnswerRoom room;
    private final List<bt.thrift.gen.Row> rows = new ArrayList<>();
    private ReadAmount taken = ReadAmount.NONE;
    private long bytes;

    PageRows(AnswerRoom room) {
        this.room = room;
    }

    /** Of the answer, at most. */
    long bytes() {
        return bytes;
    }

    /** In the units of the scan's limits. */
    ReadAmount taken() {
        return taken;
    }

    /** Whether a row of so many bytes can be added, or may be tried: the first of a page fits or is REJECTED. */
    boolean hasRoomFor(long rowBytes) {
        return rows.isEmpty() || bytes + rowBytes <= room.bytes();
    }

    /** REJECTED where no answer holds the row. */
    void add(Row row) throws RejectedException {
        rows.add(room.checked(row));
        taken = taken.plus(row);
        bytes += Rows.bytes(row);
    }

    /** The page behind which there is nothing. */
    Page last() {
        return new Page(rows);
    }

    /** The page behind which the scan goes on at this edge of its walk, its limits charged so much. */
    Page endingBefore(Bytes edge, ReadAmount charged) {
        return last().setResumeToken(new ResumeToken(edge, charged).encode());
    }
}
