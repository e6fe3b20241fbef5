package bt.thrift.convert;

import bt.base.RejectedException;
import bt.model.DroppedTable;

/** Tables that may come back. */
public final class DroppedTables {
    /** What one needs beside its name, in the wider of the two protocols. */
    private static final long OVERHEAD = 48;

    private DroppedTables() {}

    /** No fewer than it is sent with. */
    public static long bytes(DroppedTable table) {
        return OVERHEAD + Texts.bytes(table.schema().name());
    }

    public static bt.thrift.gen.DroppedTable of(DroppedTable table) {
        return new bt.thrift.gen.DroppedTable(
                table.schema().name(), table.schema().id(), table.droppedMicros());
    }

    /** An id that a table may have, or 0. */
    public static long id(long given) throws RejectedException {
        if (given < 0) {
            throw new RejectedException(
                    "id is " + given,
                    "take one of those that listDroppedTables tells, which are of tables that can come back; 0 is the last");
        }
        return given;
    }
}
