package bt.rpc;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Names of sockets for messages. */
final class Sockets {
    private Sockets() {}

    static String name(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : String.valueOf(address);
    }
}
