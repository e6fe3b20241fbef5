package bt.examples.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.Bytes;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Row;
import bt.thrift.gen.SetCell;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;

/** The two ways to a table, each with a row of its own. */
final class HonestDoors {
    private static final int TIMEOUT_MILLIS = 60_000;

    private HonestDoors() {}

    /** The client of Java. */
    static Honest.Calls direct(Table table) {
        Bytes row = Bytes.utf8("honest-direct");
        ColumnKey column = ColumnKey.of("f", "number");
        return new Honest.Calls() {
            @Override
            public void write(String value) throws Exception {
                table.apply(
                        RowMutation.of(row).set(column, 1, Bytes.utf8(value)).build());
            }

            @Override
            public String read() throws Exception {
                return table.read(row, new Filter.Latest(1))
                        .flatMap(found -> found.value(column))
                        .map(Bytes::toUtf8)
                        .orElse("nothing");
            }
        };
    }

    /** Through the gateway, over one connection. */
    static Honest.Calls thrift(int port, String table) throws TException {
        TFramedTransport transport = new TFramedTransport(new TSocket("127.0.0.1", port, TIMEOUT_MILLIS));
        transport.open();
        Gateway.Client calls = new Gateway.Client(new TCompactProtocol(transport));
        byte[] row = "honest-thrift".getBytes(UTF_8);
        return new Honest.Calls() {
            @Override
            public void write(String value) throws Exception {
                SetCell cell = new SetCell(
                        new Column("f", ByteBuffer.wrap("number".getBytes(UTF_8))),
                        ByteBuffer.wrap(value.getBytes(UTF_8)));
                calls.mutate(
                        table,
                        new bt.thrift.gen.RowMutation(
                                ByteBuffer.wrap(row), List.of(Change.setCell(cell.setTimestamp(1)))));
            }

            @Override
            public String read() throws Exception {
                Row found = calls.readRow(table, ByteBuffer.wrap(row), new bt.thrift.gen.Filter());
                return found.getCellsSize() == 0
                        ? "nothing"
                        : new String(found.getCells().get(0).getValue(), UTF_8);
            }
        };
    }
}
