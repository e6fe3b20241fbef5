package bt.examples.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Kind;
import bt.base.Bytes;
import bt.base.ThreadScheduler;
import bt.model.Filter;
import bt.model.RowRange;
import bt.protocol.Address;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.RowResume;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server must not do to a stranger is seen, each kind where it was planted; what it may do is not complained of. */
class AttackTest {
    private static final int FRAMES = 200;
    private static final int ANSWER = 4;
    private static final int RIGHT_MESSAGES = 4;
    private static final int NEARLY_RIGHT_MESSAGES = 100;
    private static final int LONG_MILLIS = 60_000;

    /** Nothing comes in it, however slow the machine is. */
    private static final int SHORT_MILLIS = 200;

    private final HostileTally tally = new HostileTally();
    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private RpcAttack at(Address server) {
        return at(server, LONG_MILLIS);
    }

    private RpcAttack at(Address server, int closeMillis) {
        return at(new RpcAttack.Target(List.of(server), 1, LongRow.Asked.NOTHING), closeMillis);
    }

    private RpcAttack at(RpcAttack.Target target, int closeMillis) {
        // The first draws of seed 3 are no stranger that sends a broken frame alone, and nobody who leaves by himself.
        return new RpcAttack(target, new SplittableRandom(3), tally, closeMillis);
    }

    private ThriftAttack at(int port) throws Exception {
        return at(port, LONG_MILLIS);
    }

    private ThriftAttack at(int port, int closeMillis) throws Exception {
        ThriftAttack.Target target = new ThriftAttack.Target(port, "table");
        return new ThriftAttack(target, new SplittableRandom(3), tally, closeMillis);
    }

    @Test
    void aPortWhereNobodyListensIsNoClosedConnection() throws Exception {
        // Bound and not listened at, so that nobody else gets the port meanwhile.
        try (Socket unheard = new Socket()) {
            unheard.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = unheard.getLocalPort();
            assertThatThrownBy(at(Address.parse("127.0.0.1:" + port))::run).isInstanceOf(ConnectException.class);
            assertThatThrownBy(at(port)::run).isInstanceOf(ConnectException.class);
            assertThat(tally.closedConnections()).isZero();
        }
    }

    @Test
    void aResetBeforeTheAnswersToWholeFramesIsSeen() throws Exception {
        try (PlantedServer rude = new PlantedServer(scheduler, (in, out) -> welcomeAndAnswer(in, out, 7))) {
            assertThatThrownBy(at(rude.address())::run)
                    .hasMessageContaining("of 200 answers to whole frames")
                    .isNotInstanceOf(ConnectException.class);
            assertThat(tally.closedConnections()).isZero();
        }
    }

    @Test
    void aResetInPlaceOfTheWelcomeIsSeen() throws Exception {
        try (PlantedServer rude = new PlantedServer(scheduler, (in, out) -> in.readInt())) {
            assertThatThrownBy(at(rude.address())::run).hasMessageContaining("after 0 of 200 answers to whole frames");
            assertThatThrownBy(() -> RpcAttack.probe(rude.address())).hasMessageContaining("after 0 of 1 answers");
        }
    }

    @Test
    void aResetAfterAFrameThatIsNoneIsAsItShouldBe() throws Exception {
        PlantedServer.Manner strict = (in, out) -> {
            welcomeAndAnswer(in, out, FRAMES);
            in.read();
        };
        try (PlantedServer good = new PlantedServer(scheduler, strict)) {
            assertThat(at(good.address()).run()).isEqualTo(FRAMES + 1);
            assertThat(tally.closedConnections()).isOne();
            assertThat(tally.anomalies()).isZero();
        }
    }

    /** Of what is edited nobody knows whether it is right. */
    @Test
    void aRightRequestInsideARowThatIsRefusedIsSeen() throws Exception {
        try (PlantedServer wrong =
                new PlantedServer(scheduler, (in, out) -> welcomeAndRefuse(in, out, FRAMES, Kind.REJECTED))) {
            assertThatThrownBy(atRow(wrong.address())::run)
                    .hasMessageContaining("a right request that goes on inside a row was refused");
        }
        try (PlantedServer right =
                new PlantedServer(scheduler, (in, out) -> welcomeAndRefuse(in, out, FRAMES, Kind.REJECTED))) {
            assertThat(at(right.address()).run()).isEqualTo(FRAMES + 1);
        }
        try (PlantedServer busy =
                new PlantedServer(scheduler, (in, out) -> welcomeAndRefuse(in, out, FRAMES, Kind.OVERLOADED))) {
            assertThat(atRow(busy.address()).run()).isEqualTo(FRAMES + 1);
        }
    }

    @Test
    void aServerThatMakesOfExpressionsAllThatTheyUnfoldToIsSeen() throws Exception {
        PlantedServer.Manner wasteful = (in, out) -> {
            welcomeAndAnswer(in, out, 1);
            in.read();
        };
        try (PlantedServer patient = new PlantedServer(scheduler, wasteful)) {
            assertThatThrownBy(() -> RpcAttack.unfold(patient.address()))
                    .hasMessageContaining("conditions of 20000 regular expressions came to a frame of kind 4");
        }
        try (PlantedServer dead = new PlantedServer(scheduler, (in, out) -> welcomeAndAnswer(in, out, 0))) {
            assertThatThrownBy(() -> RpcAttack.unfold(dead.address())).isInstanceOf(IOException.class);
        }
        try (PlantedServer strict =
                new PlantedServer(scheduler, (in, out) -> welcomeAndRefuse(in, out, 1, Kind.REJECTED))) {
            RpcAttack.unfold(strict.address());
        }
    }

    private RpcAttack atRow(Address server) {
        RowResume resume = new RowResume(Bytes.utf8("key"), RowResume.LATEST, 0);
        Request.Scan right = new Request.Scan(
                1, RowRange.row(Bytes.utf8("row")), Filter.ALL, PageBounds.DEFAULT, Optional.of(resume));
        LongRow.Asked asked = new LongRow.Asked(List.of(), List.of(right));
        return at(new RpcAttack.Target(List.of(server), 1, asked), LONG_MILLIS);
    }

    @Test
    void aResetBeforeTheAnswersToRightMessagesOfTheGatewayIsSeen() throws Exception {
        try (PlantedServer rude = new PlantedServer(scheduler, (in, out) -> answerMessages(in, out, 2))) {
            assertThatThrownBy(at(rude.port())::run).hasMessageContaining("after 2 of 4 answers to right messages");
            assertThat(tally.closedConnections()).isZero();
        }
        try (PlantedServer rude = new PlantedServer(scheduler, (in, out) -> in.read())) {
            assertThatThrownBy(() -> ThriftAttack.probe(rude.port())).hasMessageContaining("after 0 of 1 answers");
        }
    }

    @Test
    void theGatewayMayResetBeforeWhatIsNearlyRight() throws Exception {
        PlantedServer.Manner strict = (in, out) -> {
            answerMessages(in, out, RIGHT_MESSAGES);
            in.read();
        };
        try (PlantedServer good = new PlantedServer(scheduler, strict)) {
            assertThat(at(good.port()).run()).isEqualTo(RIGHT_MESSAGES + 1);
            assertThat(tally.closedConnections()).isOne();
        }
    }

    @Test
    void aServerThatWaitsForItsCallerToCloseIsSeen() throws Exception {
        PlantedServer.Manner patient = (in, out) -> {
            welcomeAndAnswer(in, out, FRAMES);
            in.readAllBytes();
        };
        try (PlantedServer bad = new PlantedServer(scheduler, patient)) {
            assertThatThrownBy(at(bad.address(), SHORT_MILLIS)::run).hasMessageContaining("was kept for 200 ms");
            assertThat(tally.closedConnections()).isZero();
        }
    }

    @Test
    void aServerThatAnswersWhatIsNoFrameIsSeen() throws Exception {
        PlantedServer.Manner talkative = (in, out) -> {
            welcomeAndAnswer(in, out, FRAMES);
            in.read();
            out.write(WireFrames.frame(ANSWER, 0, new byte[1]));
            in.readAllBytes();
        };
        try (PlantedServer bad = new PlantedServer(scheduler, talkative)) {
            assertThatThrownBy(at(bad.address())::run).hasMessageContaining("what is no frame was answered");
            assertThat(tally.closedConnections()).isZero();
        }
    }

    @Test
    void aGatewayThatWaitsForItsCallerToCloseIsSeen() throws Exception {
        PlantedServer.Manner patient = (in, out) -> {
            answerMessages(in, out, RIGHT_MESSAGES + NEARLY_RIGHT_MESSAGES);
            in.readAllBytes();
        };
        try (PlantedServer bad = new PlantedServer(scheduler, patient)) {
            assertThatThrownBy(at(bad.port(), SHORT_MILLIS)::run).hasMessageContaining("was kept for 200 ms");
            assertThat(tally.closedConnections()).isZero();
        }
    }

    @Test
    void aGatewayThatAnswersWhatIsNoFrameIsSeen() throws Exception {
        PlantedServer.Manner talkative = (in, out) -> {
            answerMessages(in, out, RIGHT_MESSAGES + NEARLY_RIGHT_MESSAGES);
            in.readInt();
            out.write(new byte[Integer.BYTES]);
            in.readAllBytes();
        };
        try (PlantedServer bad = new PlantedServer(scheduler, talkative)) {
            assertThatThrownBy(at(bad.port())::run).hasMessageContaining("what is no frame was answered");
            assertThat(tally.closedConnections()).isZero();
        }
    }

    private static void welcomeAndAnswer(DataInputStream in, OutputStream out, int answers) throws IOException {
        PlantedServer.answer(in, out, WireFrames.WELCOME);
        for (int i = 0; i < answers; i++) {
            PlantedServer.answer(in, out, ANSWER);
        }
    }

    private static void welcomeAndRefuse(DataInputStream in, OutputStream out, int frames, Kind why)
            throws IOException {
        PlantedServer.answer(in, out, WireFrames.WELCOME);
        for (int i = 0; i < frames; i++) {
            long number = WireFrames.read(in).orElseThrow(EOFException::new).id();
            out.write(WireFrames.frame(WireFrames.FAILURE, number, new byte[] {(byte) why.number()}));
        }
        in.read();
    }

    private static void answerMessages(DataInputStream in, OutputStream out, int answers) throws IOException {
        for (int i = 0; i < answers; i++) {
            in.skipNBytes(in.readInt());
            out.write(new byte[Integer.BYTES]);
        }
    }
}
