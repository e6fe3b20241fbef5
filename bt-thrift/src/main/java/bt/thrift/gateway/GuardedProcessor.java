package bt.thrift.gateway;

import bt.base.RejectedException;
import bt.thrift.convert.Errors;
import java.io.IOException;
import java.util.Optional;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call after the other of a connection. What is too long is refused, what is no call ends the connection, with one line in the log. */
final class GuardedProcessor implements TProcessor {
    private static final Logger log = LoggerFactory.getLogger(GuardedProcessor.class);

    private static final short ERROR_OF_A_RESULT = 1;

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
            Optional<RejectedException> tooLong = connection.tooLong();
            if (tooLong.isPresent()) {
                refuse(in.readMessageBegin(), tooLong.get(), out);
            } else {
                calls.process(in, out);
            }
            connection.rest();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw ended();
        } catch (IOException | TException | RuntimeException broken) {
            throw closed(connection, broken);
        }
    }

    /** As the call itself would be: what each of ours may throw is the first field of its result. */
    private static void refuse(TMessage call, RejectedException why, TProtocol out) throws TException {
        if (call.type != TMessageType.CALL) {
            throw new TException(why.getMessage());
        }
        out.writeMessageBegin(new TMessage(call.name, TMessageType.REPLY, call.seqid));
        out.writeStructBegin(new TStruct("result"));
        out.writeFieldBegin(new TField("error", TType.STRUCT, ERROR_OF_A_RESULT));
        Errors.of(why).write(out);
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        out.writeMessageEnd();
        out.getTransport().flush();
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
