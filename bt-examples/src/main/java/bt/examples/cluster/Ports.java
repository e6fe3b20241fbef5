package bt.examples.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of 127.0.0.1 that are free, for servers that must be told theirs before they start. */
public final class Ports {
    private Ports() {}

    /** So many, all different, as host:port. Another process may take one before it is used; then the server says so. */
    public static List<String> free(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                addresses.add("127.0.0.1:" + socket.getLocalPort());
            }
            return addresses;
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
