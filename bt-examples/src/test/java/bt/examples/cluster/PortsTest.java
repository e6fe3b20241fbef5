package bt.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

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
        int next = port(Ports.free(1).get(0)) + 1;
        try (ServerSocket taken = new ServerSocket(next, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.free(3)).doesNotContain("127.0.0.1:" + taken.getLocalPort());
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }
}
