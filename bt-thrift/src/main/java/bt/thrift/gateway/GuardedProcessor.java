package bt.thrift.gateway;

import java.io.IOException;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call after the other of a connection. What is no call ends the connection, with one line in the log. */
final class GuardedProcessor implements TProcessor {
    private static final Logger log = LoggerFactory.getLogger(GuardedProcessor.class);

    private final TProcessor calls;

    GuardedProcessor(TProcessor calls) {
        this.calls = calls;
    }

    @Override
    public void process(TProtocol in, TProtocol out) throws TException {
        Connection connection = (Connection) in.getTransport();
        try {
            if (!connection.readFrame()) {
                connection.cut();
                throw ended();
            }
            // A message that was refused halfway leaves its half behind in the protocol.
            in.reset();
            out.reset();
            calls.process(in, out);
            connection.rest();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ended();
        } catch (IOException | TException | RuntimeException broken) {
            throw closed(connection, broken);
        }
    }

    private static TException closed(Connection connection, Exception broken) {
        // A connection that we have cut ourselves has had its line.
        if (connection.isOpen()) {
            connection.complain(reason(broken));
        }
        log.debug("{}", connection, broken);
        return ended();
    }

    private static String reason(Exception broken) {
        String message = broken.getMessage();
        return message == null || broken instanceof RuntimeException ? broken.toString() : message;
    }

    /** How libthrift's server is told without a line of its own. */
    private static TTransportException ended() {
        return new TTransportException(TTransportException.END_OF_FILE);
    }
}
