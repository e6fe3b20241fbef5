package bt.thrift.gateway;

import bt.thrift.gen.Gateway;
import java.io.IOException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.layered.TFramedTransport;

/** A Thrift client of the kind that everybody has: libthrift's own, over a socket. */
record Dialled(TSocket socket, TTransport transport, Gateway.Client calls) implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;

    static Dialled to(int port) throws TException {
        return to(port, Protocol.COMPACT);
    }

    static Dialled to(int port, Protocol protocol) throws TException {
        TSocket socket = new TSocket("127.0.0.1", port, TIMEOUT_MILLIS);
        TTransport transport = new TFramedTransport(socket);
        transport.open();
        return new Dialled(
                socket,
                transport,
                new Gateway.Client(
                        protocol == Protocol.COMPACT
                                ? new TCompactProtocol(transport)
                                : new TBinaryProtocol(transport)));
    }

    /** Whether something has come that nobody has read. */
    boolean hasAnswer() throws IOException {
        return socket.getSocket().getInputStream().available() > 0;
    }

    @Override
    public void close() {
        transport.close();
    }
}
