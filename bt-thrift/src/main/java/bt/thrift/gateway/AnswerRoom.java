package bt.thrift.gateway;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.MasterView;
import bt.client.TabletInfo;
import bt.model.Row;
import bt.model.TableSchema;
import bt.thrift.convert.DroppedTables;
import bt.thrift.convert.Operations;
import bt.thrift.convert.Ranges;
import bt.thrift.convert.Rows;
import bt.thrift.convert.Servers;
import bt.thrift.convert.Tables;
import bt.thrift.gen.DroppedTable;
import bt.thrift.gen.Operation;
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
                    "row " + row.brief() + " takes at least " + needed + " bytes of an answer, " + bytes + " fit",
                    "ask for fewer families, columns or versions of it, or have scanCells read it in parts");
        }
    }

    /** Tables as they are sent; REJECTED when no frame would hold them. */
    List<Table> checked(List<TableSchema> tables) throws RejectedException {
        long needed = tables.stream().mapToLong(Tables::bytes).sum();
        if (needed > bytes) {
            throw new RejectedException(
                    "the " + tables.size() + " tables of the cluster take " + needed + " bytes of an answer, " + bytes
                            + " fit",
                    "ask the Java library for them");
        }
        return tables.stream().map(Tables::of).toList();
    }

    /** What is under way as it is sent; REJECTED when no frame would hold it. */
    List<Operation> checkedOperations(List<bt.client.Operation> operations) throws RejectedException {
        List<Operation> described = operations.stream()
                .map(operation -> Operations.of(operation, bytes))
                .toList();
        long needed = described.stream().mapToLong(Operations::bytes).sum();
        if (needed > bytes) {
            throw new RejectedException(
                    "the " + operations.size() + " operations under way take " + needed + " bytes of an answer, "
                            + bytes + " fit",
                    "have getOperation tell of one by its id");
        }
        return described;
    }

    /** The tablet servers as they are sent; REJECTED when no frame would hold them. */
    bt.thrift.gen.Servers checked(MasterView cluster) throws RejectedException {
        long needed = Servers.bytes(cluster);
        if (needed > bytes) {
            throw new RejectedException(
                    "the " + cluster.servers().size() + " tablet servers of the cluster take " + needed
                            + " bytes of an answer, " + bytes + " fit",
                    "ask the Java library for them");
        }
        return Servers.of(cluster, bytes);
    }

    /** The tables that can come back as they are sent; REJECTED when no frame would hold them. */
    List<DroppedTable> checkedDropped(List<bt.model.DroppedTable> tables) throws RejectedException {
        long needed = tables.stream().mapToLong(DroppedTables::bytes).sum();
        if (needed > bytes) {
            throw new RejectedException(
                    "the " + tables.size() + " tables that can come back take " + needed + " bytes of an answer, "
                            + bytes + " fit",
                    "ask the Java library for them");
        }
        return tables.stream().map(DroppedTables::of).toList();
    }

    /** The tablets of a table as they are sent; REJECTED when no frame would hold them. */
    List<Tablet> checked(String table, List<TabletInfo> tablets) throws RejectedException {
        long needed = tablets.stream().mapToLong(Ranges::bytes).sum();
        if (needed > bytes) {
            throw new RejectedException(
                    "table " + table + ": its " + tablets.size() + " tablets take " + needed
                            + " bytes of an answer, " + bytes
                            + " fit",
                    "share out ranges of rows of your own choice, or ask the Java library for its tablets");
        }
        return tablets.stream().map(Ranges::of).toList();
    }
}
