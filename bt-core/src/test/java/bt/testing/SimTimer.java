package bt.testing;

import java.util.Comparator;

/** What happens at a moment of virtual time; at one moment, in the order in which it was asked for. */
record SimTimer(long atNanos, long number, SimProcess process, Runnable fire) implements Comparable<SimTimer> {
    private static final Comparator<SimTimer> ORDER =
            Comparator.comparingLong(SimTimer::atNanos).thenComparingLong(SimTimer::number);

    @Override
    public int compareTo(SimTimer that) {
        return ORDER.compare(this, that);
    }
}
