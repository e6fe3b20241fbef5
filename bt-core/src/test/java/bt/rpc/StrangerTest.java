package bt.rpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.base.OverloadedException;
import bt.protocol.Answer;
import bt.protocol.Codec;
import bt.testing.SeededTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a socket that is not ours may send. The server closes that connection, and goes on serving the others. */
class StrangerTest {
    private static final int SOON_MILLIS = 10_000;

    /** Two hosts, to the server. */
    private static final InetAddress LOCAL = Loopback.of(1);

    private static final InetAddress OTHER = Loopback.of(2);

    private final List<Socket> sockets = new ArrayList<>();
    private final RpcServer server;

    StrangerTest() throws BigtableException {
        server = RpcServer.start("127.0.0.1", 0, new Echo(), Echo.CLOCK, RpcLimits.DEFAULT.patience(500, 400));
    }

    @AfterEach
    void closeEverything() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    void garbageClosesTheConnectionAtItsFirstByte() throws IOException {
        Socket socket = connect();
        socket.getOutputStream().write("G".getBytes(US_ASCII));
        assertClosed(socket);
    }

    @SeededTest(runs = 50)
    void randomBytesCloseTheConnection(RandomGenerator random) throws IOException {
        byte[] garbage = new byte[1 + random.nextInt(500)];
        random.nextBytes(garbage);
        Socket socket = connect();
        write(socket, garbage);
        assertClosed(socket);
    }

    @Test
    void whoSaysNothingIsNotWaitedForLong() throws IOException {
        assertClosed(connect());
    }

    @Test
    void aRequestWithoutAHandshakeClosesTheConnection() throws IOException {
        Socket socket = connect();
        write(socket, request(1, Bytes.EMPTY));
        assertClosed(socket);
    }

    @Test
    void beforeTheHandshakeAFrameIsShort() throws IOException {
        Socket socket = connect();
        Output out = Frame.begin(Frame.Kind.HELLO, 0, 0);
        out.raw(new byte[Frame.STRANGER_BYTES]);
        write(socket, bytes(out));
        assertClosed(socket);
    }

    @Test
    void anotherWayToSayWhoOneIsIsRefusedWithAnAnswer() throws Exception {
        Socket socket = connect();
        Output out = Frame.begin(Frame.Kind.HELLO, 0, 0);
        out.raw(Bytes.utf8("btrp")).u8(1).u8(1).u64(0).u8(3).text("ada");
        write(socket, bytes(out));
        Frame answer = read(socket);
        assertThat(answer.kind()).isEqualTo(Frame.Kind.FAILURE);
        assertThat(Codec.decodeFailure(answer.body("answer")))
                .hasMessageContaining("authentication 3 is not served here");
        assertClosed(socket);
    }

    @Test
    void aLengthOfTwoGigabytesClosesTheConnectionAndTakesNoMemory() throws Exception {
        Socket socket = greeted();
        byte[] frame = request(1, Bytes.EMPTY);
        Arrays.fill(frame, 4, 8, (byte) 0x7f);
        write(socket, frame);
        assertClosed(socket);
        assertThat(server.budget().isEmpty()).isTrue();
    }

    @Test
    void aWrongChecksumClosesTheConnection() throws Exception {
        Socket socket = greeted();
        byte[] frame = request(1, Bytes.utf8("payload"));
        frame[frame.length - 1] ^= 1;
        write(socket, frame);
        assertClosed(socket);
        await().until(() -> server.budget().isEmpty());
    }

    @Test
    void framesMayComeOneByteAtATime() throws Exception {
        Socket socket = greeted();
        for (byte each : request(7, Bytes.utf8("slow"))) {
            socket.getOutputStream().write(each);
        }
        assertEcho(read(socket), 7, Bytes.utf8("slow"));
    }

    @Test
    void aFrameThatStandsStillClosesTheConnectionAndGivesItsRoomBack() throws Exception {
        Socket socket = greeted();
        byte[] frame = request(1, Bytes.wrap(new byte[1 << 20]));
        write(socket, Arrays.copyOf(frame, 1000));
        await().until(() -> !server.budget().isEmpty());
        assertClosed(socket);
        await().until(() -> server.budget().isEmpty());
    }

    @Test
    void aConnectionWithNothingToSayStaysOpen() throws Exception {
        Socket socket = greeted();
        await().during(Duration.ofSeconds(1)).until(() -> server.connections() == 1);
        write(socket, request(1, Bytes.EMPTY));
        assertEcho(read(socket), 1, Bytes.EMPTY);
    }

    @Test
    void aRequestThatIsNoMessageIsAnsweredAndTheConnectionGoesOn() throws Exception {
        Socket socket = greeted();
        write(socket, bytes(Frame.begin(Frame.Kind.REQUEST, 3, 1000).u8(99)));
        Frame answer = read(socket);
        assertThat(answer.kind()).isEqualTo(Frame.Kind.FAILURE);
        assertThat(Codec.decodeFailure(answer.body("answer"))).hasMessageContaining("request kind 99 is unknown");
        write(socket, request(4, Bytes.EMPTY));
        assertEcho(read(socket), 4, Bytes.EMPTY);
    }

    @Test
    void manyConnectionsAreServedAtOnce() throws Exception {
        List<Socket> many = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            many.add(greeted());
        }
        for (Socket socket : many) {
            write(socket, request(5, Bytes.utf8("one of many")));
        }
        for (Socket socket : many) {
            assertEcho(read(socket), 5, Bytes.utf8("one of many"));
        }
    }

    @Test
    void aFrameThatComesByDropsClosesTheConnection() throws Exception {
        Socket socket = greeted();
        byte[] frame = request(1, Bytes.wrap(new byte[1 << 20]));
        Thread writer = writer(() -> {
            for (int i = 0; i < frame.length; i += 100) {
                socket.getOutputStream().write(frame, i, 100);
                TimeUnit.MILLISECONDS.sleep(20);
            }
        });
        assertClosed(socket);
        writer.join(SOON_MILLIS);
        await().until(() -> server.budget().isEmpty());
    }

    /** Asks for 400 MB and reads none of it: what waits in the server stays within the connection's limit. */
    @Test
    void aSlowReaderIsNoLongerReadFrom() throws Exception {
        try (RpcServer patient = serve(RpcLimits.DEFAULT)) {
            Socket socket = greeted(patient, LOCAL);
            Thread writer = floods(socket);
            await().until(() -> !patient.budget().isEmpty());
            await().during(Duration.ofSeconds(1))
                    .until(() -> patient.budget().bytes() <= RpcLimits.DEFAULT.connectionBytes() + (4 << 20));
            assertThat(writer.isAlive()).isTrue();
            socket.close();
            writer.join(SOON_MILLIS);
            await().until(() -> patient.budget().isEmpty());
        }
    }

    @Test
    void whoTakesNoAnswersIsClosedAndGivesItsRoomBack() throws Exception {
        Socket socket = greeted();
        Thread writer = floods(socket);
        await().until(() -> !server.budget().isEmpty());
        writer.join(SOON_MILLIS);
        assertThat(writer.isAlive()).isFalse();
        await().until(() -> server.budget().isEmpty());
    }

    /** The host that takes no answers has many connections, and so all that one host may have. */
    @Test
    void oneHostCannotTakeTheRoomOfTheOthers() throws Exception {
        RpcLimits.Peer share = new RpcLimits.Peer(10, 1_000, 32 << 20);
        try (RpcServer patient =
                serve(RpcLimits.DEFAULT.perServer(2_000, 64 << 20).perPeer(share))) {
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                writers.add(floods(greeted(patient, OTHER)));
            }
            await().until(() -> patient.budget().bytes() > 24 << 20);
            Socket mine = greeted(patient, LOCAL);
            Bytes large = Bytes.wrap(new byte[4 << 20]);
            for (int i = 0; i < 20; i++) {
                write(mine, request(i, large));
                assertEcho(read(mine), i, large);
            }
            assertThat(patient.budget().bytes()).isLessThan(48 << 20);
            for (Socket socket : sockets) {
                socket.close();
            }
            for (Thread writer : writers) {
                writer.join(SOON_MILLIS);
            }
            await().until(() -> patient.budget().isEmpty());
        }
    }

    /** A frame has its room from its header on, and may take long to come. */
    @Test
    void hostsWhoseFramesDoNotComeLeaveRoomToTheOthers() throws Exception {
        RpcLimits.Peer share = new RpcLimits.Peer(10, 1_000, 32 << 20);
        try (RpcServer patient =
                serve(RpcLimits.DEFAULT.perServer(2_000, 64 << 20).perPeer(share))) {
            for (int host = 2; host <= 5; host++) {
                for (int megabytes : List.of(20, 12, 8, 8, 4, 4, 2, 2)) {
                    Socket socket = greeted(patient, Loopback.of(host));
                    byte[] frame = request(1, Bytes.wrap(new byte[megabytes << 20]));
                    write(socket, Arrays.copyOf(frame, 1_000));
                }
                await().during(Duration.ofMillis(100))
                        .until(() -> !patient.budget().isEmpty());
            }
            assertThat(patient.budget().bytes()).isGreaterThan(48 << 20);
            Socket mine = greeted(patient, LOCAL);
            Bytes small = Bytes.wrap(new byte[64 << 10]);
            write(mine, request(1, small));
            assertEcho(read(mine), 1, small);
        }
    }

    @Test
    void oneHostCannotTakeAllConnections() throws Exception {
        try (RpcServer narrow = serve(RpcLimits.DEFAULT.perPeer(new RpcLimits.Peer(3, 1_000, 1 << 20)))) {
            List<Socket> first = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                first.add(greeted(narrow, OTHER));
            }
            assertTurnedAway(connect(narrow, OTHER));
            Socket mine = greeted(narrow, LOCAL);
            write(mine, request(1, Bytes.EMPTY));
            assertEcho(read(mine), 1, Bytes.EMPTY);
            first.get(0).close();
            await().until(() -> narrow.connections() == 3);
            Socket again = greeted(narrow, OTHER);
            write(again, request(2, Bytes.EMPTY));
            assertEcho(read(again), 2, Bytes.EMPTY);
        }
    }

    /** Or a few of them, who hold idle connections, would have a new master refused, and the server taken for dead. */
    @Test
    void theClustersMachinesFindRoomWhenStrangersHaveTakenAllConnections() throws Exception {
        RpcLimits three = new RpcLimits(
                RpcLimits.MAX_FRAME_BYTES,
                3,
                1_024,
                64 << 20,
                65_536,
                64 << 20,
                RpcLimits.DEFAULT.peer(),
                10_000,
                30_000,
                1);
        try (RpcServer full =
                RpcServer.start("127.0.0.1", 0, new Echo(), Echo.CLOCK, three, LOCAL.getHostAddress()::equals)) {
            for (int i = 0; i < 3; i++) {
                Socket unused = greeted(full, OTHER);
            }
            assertTurnedAway(connect(full, OTHER));
            Socket master = greeted(full, LOCAL);
            write(master, request(1, Bytes.EMPTY));
            assertEcho(read(master), 1, Bytes.EMPTY);
        }
    }

    private RpcServer serve(RpcLimits limits) throws BigtableException {
        return RpcServer.start("127.0.0.1", 0, new Echo(), Echo.CLOCK, limits);
    }

    /** Sends 400 requests of a megabyte each, until the connection is closed, and reads no answer. */
    private static Thread floods(Socket socket) throws IOException {
        socket.setReceiveBufferSize(64 << 10);
        byte[] request = request(6, Bytes.wrap(new byte[1 << 20]));
        return writer(() -> {
            for (int i = 0; i < 400; i++) {
                write(socket, request);
            }
        });
    }

    private interface Writing {
        void run() throws IOException, InterruptedException;
    }

    private static Thread writer(Writing writing) {
        Thread writer = new Thread(() -> {
            try {
                writing.run();
            } catch (IOException | InterruptedException closed) {
                // The connection is closed: by the server, or because the test is over.
            }
        });
        writer.start();
        return writer;
    }

    private Socket connect() throws IOException {
        return connect(server, LOCAL);
    }

    private Socket connect(RpcServer to, InetAddress from) throws IOException {
        Socket socket = new Socket(to.address().host(), to.address().port(), from, 0);
        socket.setSoTimeout(SOON_MILLIS);
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private Socket greeted() throws IOException {
        return greeted(server, LOCAL);
    }

    private Socket greeted(RpcServer by, InetAddress from) throws IOException {
        Socket socket = connect(by, from);
        Output out = Frame.begin(Frame.Kind.HELLO, 0, 0);
        new Hello(Codec.controlFingerprint(), "ada").encode(out);
        write(socket, bytes(out));
        assertThat(read(socket).kind()).isEqualTo(Frame.Kind.WELCOME);
        return socket;
    }

    private static byte[] request(long id, Bytes payload) {
        Output out = Frame.begin(Frame.Kind.REQUEST, id, 5_000);
        Codec.encode(Echo.request(payload), out);
        return bytes(out);
    }

    private static byte[] bytes(Output out) {
        ByteBuf frame = Frame.finish(out);
        return ByteBufUtil.getBytes(frame);
    }

    private static void write(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    private static Frame read(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] header = in.readNBytes(Frame.HEADER_BYTES);
        assertThat(header).hasSize(Frame.HEADER_BYTES);
        Frame.Header known = Frame.Header.decode(header, RpcLimits.MAX_FRAME_BYTES);
        byte[] whole = Arrays.copyOf(header, header.length + known.length());
        in.readFully(whole, header.length, known.length());
        return WirePageTest.whole(known, whole);
    }

    private static void assertEcho(Frame answer, long id, Bytes payload) throws BigtableException {
        assertThat(answer.id()).isEqualTo(id);
        assertThat(answer.kind()).isEqualTo(Frame.Kind.ANSWER);
        Input body = answer.body("answer");
        Answer decoded = Codec.decodeAnswer(body);
        assertThat(decoded).isEqualTo(Echo.answer(payload));
    }

    /** Told so before it says anything. */
    private static void assertTurnedAway(Socket socket) throws IOException {
        Frame told = read(socket);
        assertThat(told.kind()).isEqualTo(Frame.Kind.FAILURE);
        assertThat(Codec.decodeFailure(told.body("refusal")))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("connection refused: 3 are open");
        assertClosed(socket);
    }

    private static void assertClosed(Socket socket) throws IOException {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }
}
