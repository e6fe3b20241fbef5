package bt.examples.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.Output;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.Scan;
import bt.thrift.gen.SetCell;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TMemoryBuffer;

/**
 * At the port of a gateway: a few messages that are right, then such as are nearly right, in frames that are; in the end a frame that
 * is none.
 */
final class ThriftAttack implements Attack {
    private static final int FRAMES = 100;
    private static final int LEAVER_ONE_OF = 10;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final String NOWHERE = "nowhere";

    /** Far more than a gateway lets a frame have, as a number without a sign. */
    private static final int ENDLESS_BYTES = 1 << 30;

    private final int port;
    private final SplittableRandom random;
    private final List<byte[]> right;
    private final Mutations mutations;
    private final HostileTally tally;
    private final int closeMillis;

    /** In so many milliseconds the gateway must have closed a connection that there is a reason to close. */
    ThriftAttack(Target target, SplittableRandom random, HostileTally tally, int closeMillis) throws TException {
        this.port = target.port();
        this.random = random;
        this.right = right(target.table());
        this.mutations = new Mutations(right, random);
        this.tally = tally;
        this.closeMillis = closeMillis;
    }

    /** A gateway's, and a table that it has. */
    record Target(int port, String table) {}

    /** Reads of a table that is there, and writes to one that is not. */
    private static List<byte[]> right(String table) throws TException {
        ByteBuffer row = ByteBuffer.wrap("row".getBytes(UTF_8));
        SetCell cell = new SetCell(new Column("f", row.duplicate()), ByteBuffer.allocate(20));
        List<byte[]> messages = new ArrayList<>();
        messages.add(message(calls -> calls.send_listTables()));
        messages.add(message(calls -> calls.send_readRow(table, row.duplicate(), new Filter())));
        messages.add(message(calls -> calls.send_scan(table, new Scan(), ByteBuffer.allocate(0))));
        messages.add(message(
                calls -> calls.send_mutate(NOWHERE, new RowMutation(row.duplicate(), List.of(Change.setCell(cell))))));
        return messages;
    }

    /** Something that a client sends. */
    @FunctionalInterface
    private interface Sending {
        void to(Gateway.Client calls) throws TException;
    }

    private static byte[] message(Sending sending) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        sending.to(new Gateway.Client(new TCompactProtocol(buffer)));
        byte[] message = new byte[buffer.length()];
        buffer.read(message, 0, message.length);
        return message;
    }

    @Override
    public int run() throws IOException {
        try (Socket socket = connected(port)) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            awaitAnswers(socket.getOutputStream(), in, right);
            int answers = end(socket, in);
            tally.closed();
            return right.size() + answers + 1;
        }
    }

    /** That a stranger who does as it should is answered. */
    static void probe(int port) throws IOException, TException {
        try (Socket socket = connected(port)) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            awaitAnswers(socket.getOutputStream(), in, List.of(message(calls -> calls.send_listTables())));
        }
    }

    private static Socket connected(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setSoLinger(true, 0);
        return socket;
    }

    /** What is right is answered, or the gateway does not keep what it promises. */
    private static void awaitAnswers(OutputStream out, DataInputStream in, List<byte[]> messages) throws IOException {
        int answers = 0;
        try {
            for (byte[] message : messages) {
                out.write(new Output().bigU32(message.length).raw(message).toArray());
                skipAnswer(in);
                answers++;
            }
        } catch (SocketException | EOFException closed) {
            throw new IOException(
                    "a connection was closed after " + answers + " of " + messages.size()
                            + " answers to right messages: " + closed.getMessage(),
                    closed);
        }
    }

    /**
     * How many were answered of those that are nearly right. The gateway may close the connection at any of them, for whoever
     * sends what cannot be read knows no better behind it; it must at a length that no frame has, which is none, and not answer that.
     * Of a frame that is not whole it learns when its sender leaves.
     */
    private int end(Socket socket, DataInputStream in) throws IOException {
        boolean leaves = random.nextInt(LEAVER_ONE_OF) == 0;
        socket.setSoTimeout(closeMillis);
        int answers = 0;
        try {
            socket.getOutputStream().write(nearlyRight(leaves));
            if (leaves) {
                socket.shutdownOutput();
            }
            while (true) {
                skipAnswer(in);
                answers++;
                if (answers > FRAMES) {
                    throw new IOException("what is no frame was answered");
                }
            }
        } catch (SocketTimeoutException kept) {
            throw new IOException("a connection was kept for " + closeMillis + " ms after what is no frame", kept);
        } catch (EOFException | SocketException closed) {
            return answers;
        }
    }

    private byte[] nearlyRight(boolean leaves) {
        Output all = new Output(1 << 13);
        for (int i = 0; i < FRAMES; i++) {
            byte[] message = mutations.next();
            all.bigU32(message.length).raw(message);
        }
        byte[] last = mutations.next();
        int length =
                leaves ? last.length + 1 + random.nextInt(FRAMES) : random.nextInt(ENDLESS_BYTES, Integer.MAX_VALUE);
        return all.bigU32(random.nextInt(2) == 0 || leaves ? length : -length)
                .raw(last)
                .toArray();
    }

    private static void skipAnswer(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            throw new IOException("the gateway sent what is no frame");
        }
        in.skipNBytes(length);
    }
}
