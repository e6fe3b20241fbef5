package bt.rpc;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses of this machine that look like those of several. */
final class Loopback {
    private Loopback() {}

    /** 127.0.0.n. */
    static InetAddress of(int host) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host});
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
