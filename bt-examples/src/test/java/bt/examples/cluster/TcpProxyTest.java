package bt.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.ThreadScheduler;
import bt.examples.cluster.TcpProxy.Weather;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final int ROUNDS = 300;
    private static final int TOGETHER = 10;
    private static final int MOST_NANOS = 1_000_000;
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int SHORT_MILLIS = 100;
    private static final int PIECES = 200;
    private static final int PIECE_BYTES = 64;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final ServerSocket target = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final TcpProxy proxy = TcpProxy.to("127.0.0.1:" + target.getLocalPort(), 1, scheduler);

    TcpProxyTest() throws IOException {}

    /** Sends back what comes. */
    @BeforeEach
    void echo() {
        scheduler.start("accept", () -> {
            try {
                while (true) {
                    Socket caller = target.accept();
                    scheduler.start("echo", () -> echo(caller));
                }
            } catch (IOException over) {
                // Closed.
            }
        });
    }

    private static void echo(Socket caller) {
        try (caller) {
            caller.getInputStream().transferTo(caller.getOutputStream());
        } catch (IOException over) {
            // Closed.
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        target.close();
        scheduler.close();
    }

    private Socket connected() throws IOException {
        String address = proxy.address();
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static int sent(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write(7);
            return socket.getInputStream().read();
        } catch (SocketException reset) {
            return -1;
        }
    }

    @Test
    void whatIsSentComesBackInFairWeather() throws Exception {
        try (Socket socket = connected()) {
            assertThat(sent(socket)).isEqualTo(7);
            assertThat(proxy.hits()).isZero();
            proxy.set(Weather.CUT);
            assertThat(proxy.hits()).isPositive();
            assertThat(sent(socket)).isEqualTo(-1);
        }
        try (Socket late = connected()) {
            assertThat(sent(late)).isEqualTo(-1);
            proxy.set(Weather.FAIR);
        }
        try (Socket later = connected()) {
            assertThat(sent(later)).isEqualTo(7);
        }
    }

    @Test
    void inSilenceNothingComesAndNothingIsLost() throws Exception {
        try (Socket socket = connected()) {
            proxy.set(Weather.SILENT);
            socket.setSoTimeout(SHORT_MILLIS);
            assertThatThrownBy(() -> sent(socket)).isInstanceOf(SocketTimeoutException.class);
            assertThat(proxy.hits()).isOne();
            proxy.set(Weather.FAIR);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            assertThat(socket.getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void whatIsDelayedIsLateInBothDirections() throws Exception {
        try (Socket socket = connected()) {
            proxy.set(Weather.delayed(SHORT_MILLIS));
            assertThat(millisOf(socket, new byte[1])).isGreaterThanOrEqualTo(2 * SHORT_MILLIS);
        }
    }

    @Test
    void whatIsSlowTakesAsLongAsItsBytes() throws Exception {
        try (Socket socket = connected()) {
            proxy.set(Weather.slow(10_000));
            // A tenth of a second there and another back.
            assertThat(millisOf(socket, new byte[1_000])).isGreaterThanOrEqualTo(198);
        }
    }

    @Test
    void bytesThatComeOneByOneAreAsSlow() throws Exception {
        try (Socket socket = connected()) {
            proxy.set(Weather.slow(10_000));
            assertThat(sent(socket)).isEqualTo(7);
            assertThat(proxy.hits())
                    .as("a tenth of a millisecond holds nobody up")
                    .isZero();
            long from = System.nanoTime();
            for (int i = 1; i < PIECES; i++) {
                assertThat(sent(socket)).isEqualTo(7);
            }
            assertThat((System.nanoTime() - from) / 1_000_000).isGreaterThanOrEqualTo(PIECES / 10 * 2);
            assertThat(proxy.hits()).isEqualTo(PIECES / 10 * 2);
        }
    }

    private static long millisOf(Socket socket, byte[] bytes) throws IOException {
        long from = System.nanoTime();
        assertThat(echoed(socket, bytes)).isEqualTo(bytes);
        return (System.nanoTime() - from) / 1_000_000;
    }

    @Test
    void ofThePiecesThatAreCorruptedEachHasABitFlipped() throws Exception {
        try (Socket socket = connected()) {
            byte[] bytes = new byte[PIECE_BYTES];
            proxy.set(Weather.corrupt(4));
            int changed = 0;
            for (int i = 0; i < PIECES; i++) {
                int bits = BitSet.valueOf(echoed(socket, bytes)).cardinality();
                // It goes through twice, and may come in more pieces than one.
                assertThat(bits).isLessThan(PIECE_BYTES);
                changed += bits > 0 ? 1 : 0;
            }
            assertThat(changed).isBetween(1, PIECES - 1);
            assertThat(proxy.hits()).isBetween((long) changed, 2L * PIECES);
            proxy.set(Weather.FAIR);
            assertThat(echoed(socket, bytes)).isEqualTo(bytes);
        }
    }

    private static byte[] echoed(Socket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return socket.getInputStream().readNBytes(bytes.length);
    }

    /** It would pass everything for as long as all others are cut. So many connect at once that some are being made whenever it is cut. */
    @Test
    void aConnectionThatIsMadeWhileItIsCutIsCutToo() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < ROUNDS; i++) {
            List<Socket> sockets = new ArrayList<>();
            for (int each = 0; each < TOGETHER; each++) {
                sockets.add(connected());
            }
            long from = System.nanoTime();
            long wait = random.nextInt(MOST_NANOS);
            while (System.nanoTime() - from < wait) {
                Thread.onSpinWait();
            }
            proxy.set(Weather.CUT);
            for (Socket socket : sockets) {
                assertThat(sent(socket)).as("round %d", i).isEqualTo(-1);
                socket.close();
            }
            proxy.set(Weather.FAIR);
        }
    }
}
