package bt.examples.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a counter counted right: of all totals that it came to, of which each is kept, each is the one before and what one client
 * added, that client was told this total, and additions and reads stand in an order in which each happened between its begin and its
 * end. No amount is added twice, so what lies between two totals tells whose addition it was. Sorting is all that costs; the
 * simulator's checker, for short histories, holds each operation against each. The two have no line in
 * common, and a test holds them against each other.
 */
final class Additions {
    private final List<String> lost = new ArrayList<>();
    private final List<String> strange = new ArrayList<>();

    /** How many additions a total has in it. */
    private final Map<Long, Integer> places = new HashMap<>();

    private final List<Moment> moments = new ArrayList<>();

    private Additions() {}

    /** What a client added, and was told; a total where it was applied. Times are monotonic nanoseconds of this process. */
    record Addition(long amount, Answers.Outcome outcome, long total, long beginNanos, long endNanos) {}

    /** What a client read; 0: that there is none. */
    record Sight(long total, long beginNanos, long endNanos) {}

    /** Something that happened at a place in the order of totals. */
    private record Moment(int place, boolean isRead, long beginNanos, long endNanos) {}

    /** What was acknowledged and is not there; what else is not right. */
    record Violations(List<String> lost, List<String> strange) {}

    /** Of one counter; the totals from the first to the last. */
    static Violations violations(List<Addition> additions, List<Sight> sights, List<Long> totals) {
        Additions check = new Additions();
        check.addTotals(additions, totals);
        check.addSights(sights);
        check.order();
        return new Violations(check.lost, check.strange);
    }

    private void addTotals(List<Addition> additions, List<Long> totals) {
        Map<Long, Addition> awaited = new HashMap<>();
        additions.forEach(each -> awaited.put(each.amount(), each));
        places.put(0L, 0);
        long before = 0;
        for (int i = 0; i < totals.size(); i++) {
            long total = totals.get(i);
            Addition author = awaited.remove(total - before);
            if (author == null) {
                strange.add("came from " + before + " to " + total + ", which nobody added, or twice");
            } else {
                addTotal(author, total, i + 1);
            }
            places.put(total, i + 1);
            before = total;
        }
        awaited.values().stream()
                .filter(each -> each.outcome() == Answers.Outcome.APPLIED)
                .forEach(each -> lost.add("the addition of " + each.amount() + ", acknowledged with " + each.total()));
    }

    private void addTotal(Addition author, long total, int place) {
        switch (author.outcome()) {
            case REFUSED ->
                strange.add("the addition of " + author.amount() + " was refused as not applied and made it " + total);
            case UNKNOWN -> moments.add(new Moment(place, false, author.beginNanos(), Long.MAX_VALUE));
            case APPLIED -> {
                moments.add(new Moment(place, false, author.beginNanos(), author.endNanos()));
                if (author.total() != total) {
                    strange.add("the addition of " + author.amount() + " was told " + author.total() + " and made it "
                            + total);
                }
            }
        }
    }

    private void addSights(List<Sight> sights) {
        for (Sight sight : sights) {
            Integer place = places.get(sight.total());
            if (place == null) {
                strange.add(sight.total() + " was read and never the total");
            } else {
                moments.add(new Moment(place, true, sight.beginNanos(), sight.endNanos()));
            }
        }
    }

    /** None ends before another begins that stands before it. */
    private void order() {
        moments.sort(Comparator.comparingInt(Moment::place).thenComparing(Moment::isRead));
        long lastBegin = Long.MIN_VALUE;
        for (Moment moment : moments) {
            if (moment.endNanos() < lastBegin) {
                strange.add((moment.isRead()
                                ? "total number " + moment.place() + " was read"
                                : "addition number " + moment.place() + " was made")
                        + " before something that it has in it began");
            }
            lastBegin = Math.max(lastBegin, moment.beginNanos());
        }
    }
}
