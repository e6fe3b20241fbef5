package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Clock;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Outcome;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * What a caller sends, from the frame to the call, without what answers it: any bytes are calls, each of which is answered, or
 * the end of the connection.
 */
class GatewayFuzzTest {
    private static final GatewayLimits LIMITS =
            new GatewayLimits(10, 64, 10_000, 100_000, 200_000, 60_000, 60_000, 60_000, 1);

    /** Whoever can be called answers with an error, which has a message. */
    private static final Gateway.Iface CALLS = (Gateway.Iface) Proxy.newProxyInstance(
            GatewayFuzzTest.class.getClassLoader(),
            new Class<?>[] {Gateway.Iface.class},
            (proxy, method, arguments) -> {
                throw new BigtableError(ErrorKind.REJECTED, Outcome.NOT_APPLIED, 0, method.getName());
            });

    private static final Logger LOGGER = Logger.getLogger("bt.thrift.gateway");

    @BeforeAll
    static void beQuiet() {
        LOGGER.setLevel(Level.ERROR);
    }

    @AfterAll
    static void leaveTheLogToOthers() {
        LOGGER.setLevel(null);
    }

    @FuzzTest
    void anyBytesAsAStreamOfCompactFrames(byte[] bytes) throws Exception {
        serve(Protocol.COMPACT, bytes);
    }

    @FuzzTest
    void anyBytesAsAStreamOfBinaryFrames(byte[] bytes) throws Exception {
        serve(Protocol.BINARY, bytes);
    }

    /** In a frame that is right. */
    @FuzzTest
    void anyBytesAsACompactMessage(byte[] bytes) throws Exception {
        serve(Protocol.COMPACT, framed(bytes));
    }

    @FuzzTest
    void anyBytesAsABinaryMessage(byte[] bytes) throws Exception {
        serve(Protocol.BINARY, framed(bytes));
    }

    private static byte[] framed(byte[] message) {
        return ByteBuffer.allocate(Integer.BYTES + message.length)
                .putInt(message.length)
                .put(message)
                .array();
    }

    private static void serve(Protocol protocol, byte[] bytes) throws Exception {
        Connection.Shared shared = new Connection.Shared(LIMITS, Clock.system());
        StreamSocket socket = new StreamSocket(bytes);
        Connection connection = new Connection(socket, shared, closed -> {});
        GuardedProcessor processor = new GuardedProcessor(new Gateway.Processor<>(CALLS));
        TProtocol in = protocol.factory().getProtocol(connection);
        TProtocol out = protocol.factory().getProtocol(connection);
        int calls = 0;
        try {
            while (true) {
                processor.process(in, out);
                calls++;
                assertThat(calls).isLessThanOrEqualTo(bytes.length / Integer.BYTES);
            }
        } catch (TException over) {
            connection.close();
        }
        assertThat(shared.room().enter(LIMITS.frameRoomBytes(), 0)).isTrue();
        // One that is sent without waiting for an answer gets none.
        assertThat(answers(protocol, socket.written())).isLessThanOrEqualTo(calls + 1);
    }

    private static int answers(Protocol protocol, byte[] written) throws TException {
        ByteBuffer left = ByteBuffer.wrap(written);
        int answers = 0;
        while (left.hasRemaining()) {
            byte[] answer = new byte[left.getInt()];
            left.get(answer);
            TMessage begin = protocol.factory()
                    .getProtocol(new TMemoryInputTransport(answer))
                    .readMessageBegin();
            assertThat(begin.type).isIn(TMessageType.REPLY, TMessageType.EXCEPTION);
            answers++;
        }
        return answers;
    }

    /** A connected socket of which the other side has sent some bytes and ended. */
    private static final class StreamSocket extends Socket {
        private final InputStream in;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        StreamSocket(byte[] sent) {
            in = new ByteArrayInputStream(sent);
        }

        @Override
        public void setTcpNoDelay(boolean on) {
            // There is no network.
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }

        byte[] written() {
            return out.toByteArray();
        }
    }
}
