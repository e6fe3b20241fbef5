package bt.thrift.gateway;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.TabletInfo;
import bt.model.Row;
import bt.model.TableSchema;
import bt.thrift.convert.Ranges;
import bt.thrift.convert.Rows;
import bt.thrift.convert.Tables;
import bt.thrift.gen.Table;
import bt.thrift.gen.Tablet;
import java.util.List;

/** How much an answer holds, so that it fits a frame. */
record AnswerRoom(long bytes) {
    /** For what an answer holds beside its rows: most of it is a token, which is a row key and a few numbers. */
    private static final long BESIDE_ROWS = 128 << 10;

    static AnswerRoom of(GatewayLimits limits) {
        return new AnswerRoom(limits.frameBytes() - BESIDE_ROWS);
    }

    /** The row as it is sent; REJECTED when no frame would hold it. */
    bt.thrift.gen.Row checked(Row row) throws RejectedException {
        check(row.key(), Rows.bytes(row));
        return Rows.of(row);
    }

    /** REJECTED when no frame would hold what there is of a row, so many bytes at least. */
    void check(Bytes row, long needed) throws RejectedException {
        if (needed > bytes) {
            throw new RejectedException(
                    "row " + row.brief() + " takes at least " + needed + " bytes of an answer, " + bytes
                            + " fit: ask for fewer families, columns or versions of it, or have scanCells read it in parts");
        }
    }

    /** Tables as they are sent; REJECTED when no frame would hold them. */
    List<Table> checked(List<TableSchema> tables) throws RejectedException {
        long needed = tables.stream().mapToLong(Tables::bytes).sum();
        if (needed > bytes) {
            throw new RejectedException("the " + tables.size() + " tables of the cluster take " + needed
                    + " bytes of an answer, " + bytes + " fit: ask the Java library or `bt tables` for them");
        }
        return tables.stream().map(Tables::of).toList();
    }

    /** The tablets of a table as they are sent; REJECTED when no frame would hold them. */
    List<Tablet> checked(String table, List<TabletInfo> tablets) throws RejectedException {
        long needed = tablets.stream().mapToLong(Ranges::bytes).sum();
        if (needed > bytes) {
            throw new RejectedException("table " + table + ": its " + tablets.size() + " tablets take " + needed
                    + " bytes of an answer, " + bytes
                    + " fit: share out ranges of rows of your own choice, or ask the Java library for its tablets");
        }
        return tablets.stream().map(Ranges::of).toList();
    }
}
