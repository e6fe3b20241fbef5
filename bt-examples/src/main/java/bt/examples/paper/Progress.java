package bt.examples.paper;

import java.io.PrintStream;

/** Says that a part of a workload begins, and from time to time how far it is. One thread. */
final class Progress {
    private static final long EVERY_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final String what;
    private final long wanted;
    private final long began = System.nanoTime();
    private long toldNanos = began;
    private long toldOperations;

    Progress(PrintStream out, String what, long wanted) {
        this.out = out;
        this.what = what;
        this.wanted = wanted;
        out.println(what);
    }

    /** What is wanted begins once more. */
    void again() {
        toldOperations -= wanted;
    }

    void at(long operations) {
        long now = System.nanoTime();
        if (now - toldNanos >= EVERY_NANOS) {
            double perSecond = (operations - toldOperations) * 1e9 / (now - toldNanos);
            out.printf("%s: %d %%, %,.0f a second%n", what, 100 * operations / wanted, perSecond);
            toldNanos = now;
            toldOperations = operations;
        }
    }
}
