package bt.examples.cluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of 127.0.0.1 that are free, for servers that must be told theirs before they start, and are started again there. They are
 * below those that systems give to outgoing connections and to whoever asks for any: of these one may be taken while its server is
 * killed, or has not begun to listen. None is given to a second one before all others were.
 */
public final class Ports {
    static final int LOWEST = 10_000;
    static final int COUNT = 20_000;

    /** Other JVMs do the same: they hardly begin at the same place. */
    private static final AtomicInteger NEXT = new AtomicInteger(new Random().nextInt(COUNT));

    private Ports() {}

    /** So many, all different, as host:port. Another process may ask for one by its number before it is used; then the server says so. */
    public static List<String> free(int count) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int tried = 0; addresses.size() < count; tried++) {
            if (tried == COUNT) {
                throw new BindException(count + " ports from " + LOWEST + " on are not free, of " + COUNT);
            }
            int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            if (isFree(port)) {
                addresses.add("127.0.0.1:" + port);
            }
        }
        return addresses;
    }

    private static boolean isFree(int port) throws IOException {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            return true;
        } catch (BindException taken) {
            return false;
        }
    }
}
