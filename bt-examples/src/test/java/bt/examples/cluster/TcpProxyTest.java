package bt.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.examples.cluster.TcpProxy.Weather;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
    private static final int ROUNDS = 300;
    private static final int TOGETHER = 10;
    private static final int MOST_NANOS = 1_000_000;
    private static final int TIMEOUT_MILLIS = 5_000;

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
            proxy.set(Weather.CUT);
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
