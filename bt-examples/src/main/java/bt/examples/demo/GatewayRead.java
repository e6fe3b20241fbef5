package bt.examples.demo;

import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.thrift.gen.Column;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Row;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.apache.thrift.transport.layered.TFramedTransport;

/** Reads one page through a gateway, {@code bt thrift}, as a program in any language would. */
final class GatewayRead {
    private static final long START_MILLIS = 60_000;
    private static final long PAUSE_MILLIS = 250;
    private static final int TIMEOUT_MILLIS = 60_000;

    private final BtCommand bt;
    private final int port;
    private final Scheduler scheduler;

    GatewayRead(BtCommand bt, int port, Scheduler scheduler) {
        this.bt = bt;
        this.port = port;
        this.scheduler = scheduler;
    }

    /** The SHA-256 of a row's page. The gateway runs until the demo ends. */
    String sha256(String row) throws IOException, InterruptedException {
        Process gateway = bt.start("thrift", "thrift");
        Deadline deadline = Deadline.after(scheduler.clock(), START_MILLIS);
        while (true) {
            try (TTransport socket = open()) {
                return Sha256.of(read(socket, row));
            } catch (TTransportException notYet) {
                if (deadline.isOver() || !gateway.isAlive()) {
                    throw new UnavailableException(
                            "the Thrift gateway on port " + port + " does not answer: see its log",
                            Outcome.NOT_APPLIED);
                }
                scheduler.pause(PAUSE_MILLIS);
            } catch (TException refused) {
                throw new UnavailableException("the Thrift gateway: " + refused, Outcome.NOT_APPLIED);
            }
        }
    }

    private TTransport open() throws TTransportException {
        TTransport transport = new TFramedTransport(new TSocket("127.0.0.1", port, TIMEOUT_MILLIS));
        transport.open();
        return transport;
    }

    private static byte[] read(TTransport transport, String row) throws TException {
        Gateway.Client client = new Gateway.Client(new TCompactProtocol(transport));
        Column contents = new Column(Webtable.CONTENTS_FAMILY, ByteBuffer.allocate(0));
        Filter filter = new Filter().setColumns(List.of(contents));
        Row page = client.readRow(Webtable.NAME, ByteBuffer.wrap(row.getBytes(StandardCharsets.UTF_8)), filter);
        return page.getCells().isEmpty() ? new byte[0] : page.getCells().get(0).getValue();
    }
}
