package bt.examples.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.Table;
import bt.coord.LockService;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.rpc.RpcNetwork;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Row;
import bt.thrift.gen.SetCell;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;

/** The ways to a tablet server, to the master and to a gateway, where there is a row for each to write the next number to and read it. */
final class HonestDoors {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int EVENT_LOOPS = 1;

    private HonestDoors() {}

    /** The client of Java, over a network of its own. */
    static Honest.Door direct(LockService locks, Scheduler scheduler, String table) {
        Bytes row = Bytes.utf8("honest-direct");
        ColumnKey column = ColumnKey.of("f", "number");
        return () -> {
            Bigtable bigtable = open(locks, scheduler);
            return calls(bigtable::close, value -> {
                Table open = bigtable.table(table);
                open.apply(RowMutation.of(row).set(column, 1, Bytes.utf8(value)).build());
                return open.read(row, new Filter.Latest(1))
                        .flatMap(found -> found.value(column))
                        .map(Bytes::toUtf8)
                        .orElse("nothing");
            });
        };
    }

    /** The same client: a row of many pages, all of which come. */
    static Honest.Door inside(LockService locks, Scheduler scheduler) {
        return () -> {
            Bigtable bigtable = open(locks, scheduler);
            return calls(bigtable::close, value -> {
                int cells = LongRow.read(bigtable);
                return cells == LongRow.cells() ? value : cells + " cells of " + LongRow.cells();
            });
        };
    }

    /** The same client: what the master says of the cluster. */
    static Honest.Door master(LockService locks, Scheduler scheduler) {
        return () -> {
            Bigtable bigtable = open(locks, scheduler);
            return calls(bigtable::close, value -> {
                int servers = bigtable.admin().clusterStatus().servers().size();
                return servers == 1 ? value : servers + " tablet servers";
            });
        };
    }

    /** Through the gateway. */
    static Honest.Door thrift(int port, String table) {
        byte[] row = "honest-thrift".getBytes(UTF_8);
        Column column = new Column("f", ByteBuffer.wrap("number".getBytes(UTF_8)));
        return () -> {
            TFramedTransport transport = new TFramedTransport(new TSocket("127.0.0.1", port, TIMEOUT_MILLIS));
            transport.open();
            Gateway.Client gateway = new Gateway.Client(new TCompactProtocol(transport));
            return calls(transport::close, value -> {
                SetCell cell = new SetCell(column, ByteBuffer.wrap(value.getBytes(UTF_8)));
                gateway.mutate(
                        table,
                        new bt.thrift.gen.RowMutation(
                                ByteBuffer.wrap(row), List.of(Change.setCell(cell.setTimestamp(1)))));
                Row found = gateway.readRow(table, ByteBuffer.wrap(row), new bt.thrift.gen.Filter());
                return found.getCellsSize() == 0
                        ? "nothing"
                        : new String(found.getCells().get(0).getValue(), UTF_8);
            });
        };
    }

    private static Bigtable open(LockService locks, Scheduler scheduler) {
        RpcNetwork network = RpcNetwork.open("honest", scheduler.clock(), EVENT_LOOPS);
        return Bigtable.over(network, locks, scheduler).onClose(network::close);
    }

    /** What {@link Honest.Calls#echo} does. */
    private interface Echo {
        String of(String value) throws Exception;
    }

    private static Honest.Calls calls(Runnable end, Echo echo) {
        return new Honest.Calls() {
            @Override
            public String echo(String value) throws Exception {
                return echo.of(value);
            }

            @Override
            public void close() {
                end.run();
            }
        };
    }
}
