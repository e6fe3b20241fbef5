package bt.examples.recovery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * For how long a table, or one tablet, did not answer. A client is not told of refusals, it only waits: an operation that took
 * longer than {@value #REFUSED_MILLIS} ms is taken as refused for all of its time, which is more than the truth.
 */
final class Refusals {
    static final long REFUSED_MILLIS = 100;

    private Refusals() {}

    /** The longest time without a moment in which no operation was refused; the longest operation if none was. */
    static long ofSome(List<List<Interval>> operationsOfTablets) {
        List<Interval> refused = new ArrayList<>();
        for (List<Interval> ofOne : operationsOfTablets) {
            ofOne.stream().filter(each -> each.millis() > REFUSED_MILLIS).forEach(refused::add);
        }
        refused.sort(Comparator.comparingLong(Interval::beginNanos));
        long longest = 0;
        long begin = Long.MIN_VALUE;
        long end = Long.MIN_VALUE;
        for (Interval each : refused) {
            begin = each.beginNanos() > end ? each.beginNanos() : begin;
            end = Math.max(end, each.endNanos());
            longest = Math.max(longest, new Interval(begin, end).millis());
        }
        return Math.max(longest, ofOne(operationsOfTablets));
    }

    /** The longest operation of any tablet. */
    static long ofOne(List<List<Interval>> operationsOfTablets) {
        return operationsOfTablets.stream()
                .flatMap(List::stream)
                .mapToLong(Interval::millis)
                .max()
                .orElse(0);
    }
}
