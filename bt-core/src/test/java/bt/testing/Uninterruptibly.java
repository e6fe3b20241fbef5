package bt.testing;

import java.util.concurrent.TimeUnit;

/** Waiting in the machine's time that an interruption does not cut short, but outlives. */
final class Uninterruptibly {
    private Uninterruptibly() {}

    /** False when the time is over first. */
    static boolean join(Thread thread, long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean interrupted = false;
        while (thread.isAlive()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
