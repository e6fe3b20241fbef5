package bt.rpc;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Names of sockets for messages. */
final class Sockets {
    private Sockets() {}

    /** Without the port: what one machine's sockets have in common. */
    static String host(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : String.valueOf(address);
    }

    static String name(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : String.valueOf(address);
    }
}
