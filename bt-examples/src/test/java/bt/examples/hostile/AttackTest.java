package bt.examples.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.ThreadScheduler;
import bt.protocol.Address;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server must not do to a stranger is seen, each kind where it was planted; what it may do is not complained of. */
class AttackTest {
    private static final int FRAMES = 200;
    private static final int ANSWER = 4;

    private final HostileTally tally = new HostileTally();
    private final ThreadScheduler scheduler = new ThreadScheduler();

    @AfterEach
    void close() {
        scheduler.close();
    }

    private RpcAttack at(Address server) {
        // The first draw of seed 3 is no stranger that sends a broken frame alone.
        return new RpcAttack(List.of(server), 1, new SplittableRandom(3), tally);
    }

    private ThriftAttack at(int port) throws Exception {
        return new ThriftAttack(port, "table", new SplittableRandom(3), tally);
    }

    @Test
    void aPortWhereNobodyListensIsNoClosedConnection() throws Exception {
        PlantedServer gone = new PlantedServer(scheduler, (in, out) -> {});
        gone.close();
        assertThatThrownBy(at(gone.address())::run).isInstanceOf(ConnectException.class);
        assertThatThrownBy(at(gone.port())::run).isInstanceOf(ConnectException.class);
        assertThat(tally.closedConnections()).isZero();
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
            answerMessages(in, out, 4);
            in.read();
        };
        try (PlantedServer good = new PlantedServer(scheduler, strict)) {
            assertThat(at(good.port()).run()).isEqualTo(4 + 1);
            assertThat(tally.closedConnections()).isOne();
        }
    }

    private static void welcomeAndAnswer(DataInputStream in, OutputStream out, int answers) throws IOException {
        PlantedServer.answer(in, out, WireFrames.WELCOME);
        for (int i = 0; i < answers; i++) {
            PlantedServer.answer(in, out, ANSWER);
        }
    }

    private static void answerMessages(DataInputStream in, OutputStream out, int answers) throws IOException {
        for (int i = 0; i < answers; i++) {
            in.skipNBytes(in.readInt());
            out.write(new byte[Integer.BYTES]);
        }
    }
}
