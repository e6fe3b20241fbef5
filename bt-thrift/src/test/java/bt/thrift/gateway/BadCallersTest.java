package bt.thrift.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import bt.base.RejectedException;
import bt.testing.SeededTest;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Outcome;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.Scan;
import bt.thrift.gen.SetCell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever one caller does, the others are answered; this JVM has less memory than the announced frames would need. */
class BadCallersTest {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static MemoryGateway gateway;
    private static Dialled honest;

    private LogLines log;

    @BeforeAll
    static void start() throws Exception {
        gateway = MemoryGateway.start(Protocol.COMPACT, MemoryGateway.IMPATIENT);
        honest = Dialled.to(gateway.port());
        // From now on it may be silent for longer than a connection that never said anything.
        assertThat(honest.calls().listTables()).isNotEmpty();
    }

    @AfterAll
    static void stop() {
        honest.close();
        gateway.close();
    }

    @BeforeEach
    void listen() {
        log = LogLines.record();
    }

    @AfterEach
    void theOthersAreAnswered() throws TException {
        log.close();
        assertThat(honest.calls().listTables()).isNotEmpty();
        try (Dialled newcomer = Dialled.to(gateway.port())) {
            assertThat(newcomer.calls().listTables()).isNotEmpty();
        }
    }

    @Test
    void aFrameOfTwoGigabytesClosesItsConnectionWithOneLine() throws IOException {
        try (Socket bad = dial()) {
            bad.getOutputStream()
                    .write(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());

            assertThat(isClosed(bad)).isTrue();
            awaitOneLine("a frame of 2147483647 bytes is announced, 1000000 are allowed");
        }
    }

    @Test
    void aNegativeFrameClosesItsConnectionWithOneLine() throws IOException {
        try (Socket bad = dial()) {
            bad.getOutputStream().write(ByteBuffer.allocate(4).putInt(-1).array());

            assertThat(isClosed(bad)).isTrue();
            awaitOneLine("a frame of 4294967295 bytes is announced");
        }
    }

    @Test
    void aBrowserIsToldNothingAndLoggedOnce() throws IOException {
        try (Socket bad = dial()) {
            bad.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));

            assertThat(isClosed(bad)).isTrue();
            awaitOneLine("see that it is sent framed");
        }
    }

    /** Whoever sends it sends all of it before he looks for an answer. */
    @ParameterizedTest
    @EnumSource
    void aCallThatIsTooLongIsRejectedAndItsConnectionGoesOn(Protocol protocol) throws Exception {
        GatewayLimits limits = new GatewayLimits(10, 64, 10_000, 1_000_000, 4_000_000, 60_000, 60_000, 30_000, 60);
        try (MemoryGateway own = MemoryGateway.start(protocol, limits);
                Dialled caller = Dialled.to(own.port(), protocol)) {
            for (int bytes : new int[] {1_000_000, 50_000_000}) {
                BigtableError refused = catchThrowableOfType(
                        BigtableError.class, () -> caller.calls().mutate(MemoryGateway.TABLE, ofBytes(bytes)));
                assertThat(refused.getKind()).isEqualTo(ErrorKind.REJECTED);
                assertThat(refused.getOutcome()).isEqualTo(Outcome.NOT_APPLIED);
                assertThat(refused.getMessage())
                        .matches(
                                "the call has \\d+ bytes, a frame of this gateway 1000000 at most: send less at a time");
                assertThat(caller.calls().listTables()).isNotEmpty();
            }
            caller.calls().mutate(MemoryGateway.TABLE, ofBytes(900_000));
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void halfACallThatIsTooLongAndLeavingIsLoggedOnce() throws IOException {
        try (Socket bad = dial()) {
            bad.getOutputStream()
                    .write(ByteBuffer.allocate(1_000).putInt(2_000_000).array());
        }
        awaitOneLine("the caller left after 996 of a frame's 2000000 bytes");
    }

    @Test
    void aLongFrameThatIsNoCallClosesItsConnectionWithOneLine() throws IOException {
        try (Socket bad = dial()) {
            bad.getOutputStream()
                    .write(ByteBuffer.allocate(4 + 1_100_000).putInt(1_100_000).array());

            assertThat(isClosed(bad)).isTrue();
            awaitOneLine("connection closed");
        }
    }

    /** As what a call is refused with that is too long to be looked at: a call of another kind would not find it there. */
    @Test
    void everyCallHasItsErrorInTheSamePlace() throws Exception {
        List<String> results = new ArrayList<>();
        for (Class<?> type : Gateway.class.getDeclaredClasses()) {
            if (type.getSimpleName().endsWith("_result")) {
                TBase<?, ?> result = (TBase<?, ?>) type.getConstructor().newInstance();
                assertThat(result.fieldForId(1)).as(type.getName()).hasToString("ERROR");
                assertThat(type.getMethod("getError").getReturnType()).isEqualTo(BigtableError.class);
                results.add(type.getSimpleName());
            }
        }
        assertThat(results).hasSizeGreaterThan(30);
    }

    @Test
    void aMessageInAnotherProtocolClosesItsConnectionWithOneLine() throws Exception {
        try (Dialled binary = Dialled.to(gateway.port(), Protocol.BINARY)) {
            assertThatThrownBy(() -> binary.calls().listTables()).isInstanceOf(TException.class);
            awaitOneLine("connection closed");
        }
    }

    @Test
    void halfAFrameAndSilenceIsClosedWhenItsTimeIsOver() throws IOException {
        try (Socket bad = dial()) {
            bad.getOutputStream().write(ByteBuffer.allocate(100).putInt(200_000).array());

            assertThat(isClosed(bad)).isTrue();
            awaitOneLine("a frame has begun and does not end; connection closed");
        }
    }

    @Test
    void halfAFrameAndLeavingIsLoggedOnce() throws IOException {
        try (Socket bad = dial()) {
            bad.getOutputStream().write(ByteBuffer.allocate(100).putInt(200_000).array());
        }
        awaitOneLine("the caller left after 96 of a frame's 200000 bytes");
    }

    @Test
    void silenceFromTheBeginningIsClosedWithoutALine() throws IOException {
        try (Socket silent = dial()) {
            assertThat(isClosed(silent)).isTrue();
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void announcedFramesThatDoNotComeTakeNothingFromSmallCalls() throws Exception {
        List<Socket> bad = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket one = dial();
                one.getOutputStream()
                        .write(ByteBuffer.allocate(4).putInt(1_000_000).array());
                bad.add(one);
            }
            assertThat(honest.calls().listTables()).isNotEmpty();
        } finally {
            for (Socket one : bad) {
                one.close();
            }
        }
    }

    @Test
    void roomIsGivenBackByThoseWhoNeverSentTheirFrames() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Socket bad = dial()) {
                bad.getOutputStream()
                        .write(ByteBuffer.allocate(4).putInt(1_000_000).array());
            }
        }
        // Four such frames are all the room there is.
        for (int i = 0; i < 10; i++) {
            honest.calls().mutate(MemoryGateway.TABLE, large());
        }
    }

    @Test
    void anAnswerThatIsNotTakenIsClosedWhenItsTimeIsOver() throws Exception {
        // Silence has a long time: the first call may come late where many tests run at a time.
        GatewayLimits limits = new GatewayLimits(10, 64, 10_000, 1_000_000, 4_000_000, 60_000, 60_000, 1_000, 60);
        try (MemoryGateway patient = MemoryGateway.start(Protocol.COMPACT, limits);
                Dialled writer = Dialled.to(patient.port());
                Socket small = new Socket()) {
            writer.calls().mutate(MemoryGateway.TABLE, large());
            // A size that was asked for does not grow; one that was not may grow to hold all the answers there are.
            small.setReceiveBufferSize(16 << 10);
            small.connect(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), patient.port()));
            Gateway.Client calls = new Gateway.Client(new TCompactProtocol(new TFramedTransport(new TSocket(small))));
            // 500 KB each, and the kernel keeps 4 MB of ours.
            for (int i = 0; i < 40; i++) {
                calls.send_scan(MemoryGateway.TABLE, new Scan(), ByteBuffer.allocate(0));
            }
            awaitOneLine("an answer is not taken; connection closed");
        }
    }

    @Test
    void aThousandConnectionsOpenedAndClosedLeaveNothingBehind() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            dial().close();
        }
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            open.add(dial());
        }
        assertThat(honest.calls().listTables()).isNotEmpty();
        for (Socket socket : open) {
            socket.close();
        }
        assertThat(log.lines()).isEmpty();
        await().untilAsserted(() -> assertThat(gateway.gateway().connections()).isEqualTo(1));
    }

    @Test
    void oneConnectionTooManyIsClosedAtOnceAndTheDoorOpensAgain() throws Exception {
        GatewayLimits two = new GatewayLimits(2, 64, 1_000, 1_000_000, 4_000_000, 60_000, 60_000, 1_000, 60);
        try (MemoryGateway small = MemoryGateway.start(Protocol.COMPACT, two)) {
            try (Dialled first = Dialled.to(small.port());
                    Dialled second = Dialled.to(small.port());
                    Socket third = dial(small.port())) {
                assertThat(first.calls().listTables()).isNotEmpty();
                assertThat(second.calls().listTables()).isNotEmpty();
                assertThat(isClosed(third)).isTrue();
                awaitOneLine("2 connections are open; more are closed at once");
            }
            await().untilAsserted(
                            () -> assertThat(small.gateway().connections()).isZero());
            try (Dialled later = Dialled.to(small.port())) {
                assertThat(later.calls().listTables()).isNotEmpty();
            }
        }
    }

    @Test
    void whoComesWithBadConnectionsAgainAndAgainDoesNotFillTheLog() throws Exception {
        GatewayLimits quiet = new GatewayLimits(10, 64, 10_000, 1_000_000, 4_000_000, 60_000, 60_000, 1_000, 3);
        try (MemoryGateway small = MemoryGateway.start(Protocol.COMPACT, quiet)) {
            for (int i = 0; i < 20; i++) {
                try (Socket bad = dial(small.port())) {
                    bad.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
                    assertThat(isClosed(bad)).isTrue();
                }
            }
            await().untilAsserted(
                            () -> assertThat(small.gateway().connections()).isZero());
            assertThat(log.lines()).hasSize(3);
        }
    }

    @SeededTest(runs = 100)
    void garbageEndsItsConnectionAndNothingElse(RandomGenerator random) throws Exception {
        byte[] garbage = new byte[random.nextInt(300)];
        random.nextBytes(garbage);
        if (random.nextBoolean() && garbage.length > 8) {
            // Gets past the door: a frame of the right length, and a message of the right protocol.
            ByteBuffer.wrap(garbage).putInt(garbage.length - 4).put((byte) 0x82).put((byte) 0x21);
        }
        try (Socket bad = dial()) {
            bad.getOutputStream().write(garbage);
            bad.shutdownOutput();
            assertThat(isClosed(bad)).isTrue();
        }
        assertThat(log.lines()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void aListOfTwoBillionElementsIsRefusedUnread() throws Exception {
        ByteBuffer message = ByteBuffer.allocate(64);
        // mutate(mutation = {changes = a list of 2^31 - 1 structs})
        message.put(new byte[] {(byte) 0x82, 0x21, 1, 6}).put("mutate".getBytes(US_ASCII));
        message.put(new byte[] {0x2c, 0x29, (byte) 0xfc, -1, -1, -1, -1, 7});
        try (Socket bad = dial()) {
            bad.getOutputStream().write(frame(message));
            bad.shutdownOutput();
            assertThat(isClosed(bad)).isTrue();
        }
        assertThat(log.lines()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void nestingWithoutEndIsRefusedBeforeTheStackIs() throws Exception {
        ByteBuffer message = ByteBuffer.allocate(500_000);
        message.put(new byte[] {(byte) 0x82, 0x21, 1, 6}).put("mutate".getBytes(US_ASCII));
        while (message.hasRemaining()) {
            // A struct in field after field that nobody knows.
            message.put((byte) 0x7c);
        }
        try (Socket bad = dial()) {
            bad.getOutputStream().write(frame(message));
            bad.shutdownOutput();
            assertThat(isClosed(bad)).isTrue();
        }
        assertThat(log.lines()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void aPortInUseIsOneClearLine() {
        GatewayConfig taken = new GatewayConfig("127.0.0.1", gateway.port(), Protocol.COMPACT);

        assertThatThrownBy(() -> ThriftGateway.start(gateway.bigtable(), taken))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("127.0.0.1:" + gateway.port())
                .hasMessageContaining("--port");
    }

    private void awaitOneLine(String part) {
        await().untilAsserted(() -> assertThat(log.lines()).isNotEmpty());
        assertThat(log.lines()).singleElement().asString().contains(part);
    }

    private static Socket dial() throws IOException {
        return dial(gateway.port());
    }

    private static Socket dial(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getByAddress(LOOPBACK), port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** Reads until the other side closes. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static byte[] frame(ByteBuffer message) {
        byte[] bytes = new byte[4 + message.position()];
        ByteBuffer.wrap(bytes).putInt(message.position()).put(message.flip());
        return bytes;
    }

    private static RowMutation large() {
        return ofBytes(500_000);
    }

    private static RowMutation ofBytes(int valueBytes) {
        SetCell cell = new SetCell(new Column("contents", ByteBuffer.allocate(0)), ByteBuffer.allocate(valueBytes));
        return new RowMutation(ByteBuffer.wrap(new byte[] {1}), List.of(Change.setCell(cell.setTimestamp(1))));
    }
}
