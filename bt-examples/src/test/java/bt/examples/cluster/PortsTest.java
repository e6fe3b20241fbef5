package bt.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTest {
    private static final int MANY = 2_000;

    /** As one that is given to a server could be that has not begun to listen. */
    @Test
    void noneIsGivenTwice() throws Exception {
        List<String> given = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            given.addAll(Ports.free(1));
        }
        assertThat(given).doesNotHaveDuplicates();
    }

    /** Whatever port a connection or a socket without a wish gets, it is none of ours. */
    @Test
    void theyAreBelowThoseThatConnectionsGet() throws Exception {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.free(MANY))
                    .allSatisfy(address -> assertThat(port(address)).isLessThan(any.getLocalPort()));
        }
    }

    @Test
    void oneThatIsTakenIsPassedOver() throws Exception {
        try (ServerSocket taken = takeNext()) {
            assertThat(Ports.free(3)).doesNotContain("127.0.0.1:" + taken.getLocalPort());
        }
    }

    /** Takes the one whose turn it is, once that is one that nobody else has. */
    private static ServerSocket takeNext() throws IOException {
        for (int tried = 0; tried < MANY; tried++) {
            int last = port(Ports.free(1).get(0));
            int next = last == Ports.LOWEST + Ports.COUNT - 1 ? Ports.LOWEST : last + 1;
            try {
                return new ServerSocket(next, 1, InetAddress.getLoopbackAddress());
            } catch (BindException another) {
                // The next call passes it over, and its turn is further on.
            }
        }
        throw new AssertionError("whatever port comes next, somebody has it");
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }
}
