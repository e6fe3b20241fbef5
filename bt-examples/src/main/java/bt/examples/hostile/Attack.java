package bt.examples.hostile;

import java.io.IOException;

/** One kind of bad caller. One thread. */
interface Attack {
    /** Opens a connection and sends until it is closed, as it must be in the end; how many frames the other side has answered or closed it for. */
    int run() throws IOException;
}
