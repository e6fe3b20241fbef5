package bt.examples.hostile;

import java.io.IOException;

/** One kind of bad caller. One thread. */
interface Attack {
    /**
     * Opens a connection and sends until it is closed, as it must be in the end; how many frames the other side has answered or
     * closed it for. Fails where the other side did what it must not: refused the connection, closed it before a frame that is
     * a reason to, kept it after one, or answered with what is no frame.
     */
    int run() throws IOException;
}
