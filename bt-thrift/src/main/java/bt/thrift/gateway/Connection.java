package bt.thrift.gateway;

import bt.base.Clock;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Seldom;
import bt.thrift.gateway.Stage.Kind;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.thrift.TByteArrayOutputStream;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TEndpointTransport;
import org.apache.thrift.transport.TTransportException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller's connection, framed: four bytes of length, big-endian, then a message. Libthrift's own framed transport takes
 * memory for what a header announces; here only bytes that have come take any. One worker reads and writes; the watch and
 * the gateway's end look at the stage and close the socket from outside, which ends what the worker waits for.
 */
final class Connection extends TEndpointTransport {
    private static final Logger log = LoggerFactory.getLogger(Connection.class);
    private static final int HEADER_BYTES = Integer.BYTES;

    /** The longest message that Thrift's libraries take of themselves: who announces more does not speak Thrift to us. */
    private static final int LONGEST_PASSED = TConfiguration.DEFAULT_MAX_MESSAGE_SIZE;

    /** In which the name and the number of any of our calls end. */
    private static final int BEGINNING_BYTES = 256;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final GatewayLimits limits;
    private final Clock clock;
    private final FrameRoom room;
    private final Seldom complaints;
    private final Consumer<Connection> atClose;
    private final TByteArrayOutputStream answer = new TByteArrayOutputStream(1024);
    private volatile Stage stage;
    private volatile boolean ending;
    private byte[] frame = new byte[0];
    private int position;
    private int passedBytes;
    private boolean closed;

    /** What all connections of a gateway have in common. */
    record Shared(GatewayLimits limits, Clock clock, FrameRoom room, Seldom complaints) {
        Shared(GatewayLimits limits, Clock clock) {
            this(limits, clock, new FrameRoom(limits.frameRoomBytes()), new Seldom(clock, limits.complaintsAMinute()));
        }
    }

    Connection(Socket socket, Shared shared, Consumer<Connection> atClose) throws IOException, TTransportException {
        super(new TConfiguration(
                shared.limits().frameBytes(), shared.limits().frameBytes(), TConfiguration.DEFAULT_RECURSION_DEPTH));
        this.socket = socket;
        this.limits = shared.limits();
        this.clock = shared.clock();
        this.room = shared.room();
        this.complaints = shared.complaints();
        this.atClose = atClose;
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        stage = stage(Kind.SILENT, limits.firstFrameMillis());
        beginAnswer();
    }

    /**
     * What has stood still for too long. Not silence while bytes wait to be read: it is our worker then that has not come to
     * them, or has not begun, as when very many connect at a time. For the watch.
     */
    Optional<Stage.Kind> standsStill() {
        Stage now = stage;
        return now.isOver() && isOpen() && !(now.kind() == Kind.SILENT && bytesWait())
                ? Optional.of(now.kind())
                : Optional.empty();
    }

    private boolean bytesWait() {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException gone) {
            return false;
        }
    }

    /**
     * Waits for the next message. False when there is none: the caller, or this gateway, has ended. Of one that is too long the
     * rest has come and gone, and {@link #tooLong} says so: a caller looks for an answer when he has sent all of his call, and to
     * close before that would take it from him.
     */
    boolean readFrame() throws IOException, InterruptedException {
        leaveRoom();
        if (ending) {
            return false;
        }
        int first = in.read();
        if (first < 0) {
            return false;
        }
        stage = stage(Kind.READING, limits.frameMillis());
        byte[] header = new byte[HEADER_BYTES];
        header[0] = (byte) first;
        if (in.readNBytes(header, 1, HEADER_BYTES - 1) < HEADER_BYTES - 1) {
            throw new IOException("the caller left in the middle of a frame's header");
        }
        int length = ByteBuffer.wrap(header).getInt();
        if (length > limits.frameBytes() && length <= LONGEST_PASSED) {
            pass(length);
        } else if (length < 0 || length > limits.frameBytes()) {
            throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes is announced, "
                    + limits.frameBytes() + " are allowed: send less at a time, and see that it is sent framed");
        } else {
            readMessage(length);
        }
        stage = new Stage(Kind.WORKING, Optional.empty());
        return true;
    }

    /** What is wrong with a message of which only the beginning is here. From the worker. */
    Optional<RejectedException> tooLong() {
        return passedBytes == 0
                ? Optional.empty()
                : Optional.of(new RejectedException(
                        "the call has " + passedBytes + " bytes, a frame of this gateway " + limits.frameBytes()
                                + " at most",
                        "send less at a time"));
    }

    /** Between two messages, from the worker: waits for the next one no longer than that. */
    void rest() {
        stage = stage(Kind.SILENT, limits.idleMillis());
    }

    /** Has the worker end after the call that it is at; at once when there is none. Any thread. */
    void end() {
        ending = true;
        if (stage.kind() == Kind.SILENT) {
            cut();
        }
    }

    /** Tells the log why it is closed, unless the log was told of many just now. Any thread. */
    void complain(String why) {
        complaints.remark().ifPresent(rest -> log.warn("{}: {}; connection closed{}", this, why, rest));
    }

    /** Closes the socket under whoever waits for it. Any thread. */
    void cut() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // It is gone, which is all that was wanted.
        }
    }

    @Override
    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void open() {
        throw new UnsupportedOperationException("a connection is open from the beginning");
    }

    @Override
    public void close() {
        cut();
        if (!closed) {
            closed = true;
            leaveRoom();
            atClose.accept(this);
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws TTransportException {
        if (length > getBytesRemainingInBuffer()) {
            throw new TTransportException(TTransportException.CORRUPTED_DATA, "a message that its frame does not hold");
        }
        System.arraycopy(frame, position, target, offset, length);
        position += length;
        return length;
    }

    @Override
    public byte[] getBuffer() {
        return frame;
    }

    @Override
    public int getBufferPosition() {
        return position;
    }

    @Override
    public int getBytesRemainingInBuffer() {
        return frame.length - position;
    }

    @Override
    public void consumeBuffer(int length) {
        position += length;
    }

    /** A protocol asks before it makes room for a string or a container: none is larger than what is left of the frame. */
    @Override
    public void checkReadBytesAvailable(long bytes) throws TTransportException {
        if (bytes < 0 || bytes > getBytesRemainingInBuffer()) {
            throw new TTransportException(
                    TTransportException.CORRUPTED_DATA,
                    "something of " + bytes + " bytes where " + getBytesRemainingInBuffer() + " are left");
        }
    }

    @Override
    public void write(byte[] source, int offset, int length) throws TTransportException {
        if (answer.len() - HEADER_BYTES + (long) length > limits.frameBytes()) {
            throw new TTransportException(
                    TTransportException.MESSAGE_SIZE_LIMIT,
                    "an answer longer than the " + limits.frameBytes() + " bytes of a frame");
        }
        answer.write(source, offset, length);
    }

    /** Sends the answer. */
    @Override
    public void flush() throws TTransportException {
        int length = answer.len() - HEADER_BYTES;
        byte[] bytes = answer.get();
        ByteBuffer.wrap(bytes).putInt(length);
        stage = stage(Kind.ANSWERING, limits.frameMillis());
        try {
            out.write(bytes, 0, answer.len());
        } catch (IOException gone) {
            throw new TTransportException(TTransportException.END_OF_FILE, "the caller left before its answer", gone);
        }
        beginAnswer();
    }

    @Override
    public String toString() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    private void readMessage(int length) throws IOException, InterruptedException {
        if (!room.enter(length, limits.frameMillis())) {
            throw new IOException("no room for a frame of " + length + " bytes within " + limits.frameMillis() + " ms");
        }
        byte[] message = new byte[0];
        try {
            // It grows with what comes.
            message = in.readNBytes(length);
        } finally {
            if (message.length < length) {
                room.leave(length);
            }
        }
        if (message.length < length) {
            throw new IOException("the caller left after " + message.length + " of a frame's " + length + " bytes");
        }
        frame = message;
        position = 0;
    }

    /** Keeps its first bytes alone. It takes no room, and no longer than a frame may. */
    private void pass(int length) throws IOException {
        byte[] beginning = in.readNBytes(Math.min(length, BEGINNING_BYTES));
        long left = (long) length - beginning.length;
        while (left > 0) {
            long skipped = in.skip(left);
            if (skipped == 0 && in.read() < 0) {
                throw new IOException(
                        "the caller left after " + (length - left) + " of a frame's " + length + " bytes");
            }
            left -= Math.max(1, skipped);
        }
        frame = beginning;
        passedBytes = length;
    }

    private void leaveRoom() {
        passedBytes = 0;
        room.leave(frame.length);
        frame = new byte[0];
        position = 0;
    }

    private void beginAnswer() {
        answer.reset();
        answer.write(new byte[HEADER_BYTES], 0, HEADER_BYTES);
    }

    private Stage stage(Kind kind, long millis) {
        return new Stage(kind, Optional.of(Deadline.after(clock, millis)));
    }
}
