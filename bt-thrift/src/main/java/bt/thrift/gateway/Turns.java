package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets so many calls be at work at a time: their answers are in memory as a whole. */
final class Turns {
    private static final long RETRY_AFTER_MILLIS = 1_000;

    private final Semaphore free;
    private final int atATime;
    private final long turnMillis;

    /** So many at a time; one more waits for so long. */
    Turns(int atATime, long turnMillis) {
        this.atATime = atATime;
        this.turnMillis = turnMillis;
        free = new Semaphore(atATime, true);
    }

    /** Waits for a turn, and takes it for the call. */
    <T> T take(Call<T> call) throws BigtableException {
        begin();
        try {
            return call.run();
        } finally {
            free.release();
        }
    }

    private void begin() throws BigtableException {
        try {
            if (!free.tryAcquire(turnMillis, TimeUnit.MILLISECONDS)) {
                throw new OverloadedException(
                        "this gateway: " + atATime + " calls are at work, and none ended within " + turnMillis
                                + " ms; come back later, or ask another gateway",
                        RETRY_AFTER_MILLIS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("this gateway ends: ask another one", Outcome.NOT_APPLIED).causedBy(stopped);
        }
    }

    /** What a turn is for. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws BigtableException;
    }
}
