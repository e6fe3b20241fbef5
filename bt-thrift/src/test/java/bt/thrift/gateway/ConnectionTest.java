package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import bt.testing.ManualClock;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** What stands still, on a clock of the test's. */
class ConnectionTest {
    private static final long FIRST_FRAME_MILLIS = 2_000;
    private static final GatewayLimits LIMITS =
            new GatewayLimits(10, 64, 10_000, 1_000_000, 4_000_000, FIRST_FRAME_MILLIS, 60_000, 1_000, 60);

    private final ManualClock clock = new ManualClock(0);

    /** No worker reads from it yet. */
    @Test
    void aCallerWhoseBytesWaitForAWorkerIsNotSilent() throws Exception {
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket caller = new Socket(door.getInetAddress(), door.getLocalPort());
                Socket accepted = door.accept()) {
            Connection connection = new Connection(accepted, new Connection.Shared(LIMITS, clock), ended -> {});
            assertThat(connection.standsStill()).isEmpty();
            clock.set(clock.micros() + (FIRST_FRAME_MILLIS + 1) * 1_000);
            assertThat(connection.standsStill()).contains(Stage.Kind.SILENT);
            caller.getOutputStream().write(0);
            await().untilAsserted(() -> assertThat(connection.standsStill()).isEmpty());
        }
    }
}
