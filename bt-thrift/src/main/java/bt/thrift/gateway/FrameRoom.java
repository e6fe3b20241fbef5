package bt.thrift.gateway;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory that long frames share. A frame gets its room before its bytes are read; until then they stay in the network,
 * which slows their sender down. Short frames need none: connections are counted, so these are bounded already, and a
 * caller with small calls does not wait behind one who announces long frames and never sends them.
 */
final class FrameRoom {
    static final int SMALL_BYTES = 64 << 10;

    private final Semaphore bytes;

    FrameRoom(int bytes) {
        this.bytes = new Semaphore(bytes, true);
    }

    /** False when there was no room in time. */
    boolean enter(int frameBytes, long timeoutMillis) throws InterruptedException {
        // Nothing at all is not asked for either: the semaphore is fair, and would have it wait in line.
        return frameBytes <= SMALL_BYTES || bytes.tryAcquire(frameBytes, timeoutMillis, TimeUnit.MILLISECONDS);
    }

    void leave(int frameBytes) {
        if (frameBytes > SMALL_BYTES) {
            bytes.release(frameBytes);
        }
    }
}
