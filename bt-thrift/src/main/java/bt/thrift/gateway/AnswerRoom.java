package bt.thrift.gateway;

import bt.base.RejectedException;
import bt.model.Row;
import bt.thrift.convert.Rows;

/** How much an answer holds, so that it fits a frame. */
record AnswerRoom(long bytes) {
    /** For what an answer holds beside its rows: most of it is a token, which is a row key and a few numbers. */
    private static final long BESIDE_ROWS = 128 << 10;

    static AnswerRoom of(GatewayLimits limits) {
        return new AnswerRoom(limits.frameBytes() - BESIDE_ROWS);
    }

    /** The row as it is sent; REJECTED when no frame would hold it. */
    bt.thrift.gen.Row checked(Row row) throws RejectedException {
        long needed = Rows.bytes(row);
        if (needed > bytes) {
            throw new RejectedException("row " + row.key() + " takes " + needed + " bytes of an answer, " + bytes
                    + " fit: ask for fewer families, columns or versions of it, or have scanCells read it in parts");
        }
        return Rows.of(row);
    }
}
