package bt.testing.history;

import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Every addition once: all totals that a value came to, of which the cluster keeps each, against what clients added and
 * saw. What lies between two totals tells whose addition it was.
 */
public final class Additions {
    private final String value;
    private final List<Total> totals;
    private final List<Anomaly> anomalies = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();

    private Additions(String value, List<Total> totals) {
        this.value = value;
        this.totals = totals;
    }

    /** What the value came to, and what was added just then. */
    public record Total(String what, long sum) {}

    /** What a client saw of the value, at one moment between these; 0: that there is none. */
    public record Seen(String client, long sum, long begunNanos, long endedNanos) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%10.4f - %10.4f  %s  sees %d", begunNanos / 1e9, endedNanos / 1e9, client, sum);
        }
    }

    /**
     * What is wrong with one value.
     *
     * @param totals what it came to, the first before the others
     */
    public static List<Anomaly> check(String value, List<Addition> additions, List<Seen> seen, List<Total> totals) {
        Additions check = new Additions(value, totals);
        check.authors(additions);
        check.order(additions);
        seen.forEach(each -> check.seen(each, additions));
        check.reads(seen);
        return check.anomalies;
    }

    private void wrong(String checker, String what) {
        anomalies.add(new Anomaly(checker, value, what));
    }

    private void authors(List<Addition> additions) {
        Map<String, Addition> authors = new HashMap<>();
        additions.forEach(each -> authors.put(each.what(), each));
        for (int i = 0; i < totals.size(); i++) {
            Total total = totals.get(i);
            Addition author = authors.get(total.what());
            if (author == null) {
                wrong("invented", "nobody added what makes it " + total);
            } else if (places.putIfAbsent(total.what(), i) != null) {
                wrong("added twice", author + ", the second time for " + total);
            } else if (!author.mayHaveAdded()) {
                wrong("refused and done", author + ", but there is " + total);
            } else if (author.result() == Result.DONE && author.total() != total.sum()) {
                wrong("wrong total", author + ", but there is " + total);
            }
        }
        additions.stream()
                .filter(each -> each.result() == Result.DONE && !places.containsKey(each.what()))
                .forEach(each -> wrong("lost", "acknowledged and not among " + totals + ": " + each));
    }

    /** What was over before another began was added before it. */
    private void order(List<Addition> additions) {
        for (Addition later : additions) {
            for (Addition earlier : additions) {
                if (earlier.endedNanos() < later.begunNanos() && place(earlier) > place(later) && place(later) >= 0) {
                    wrong("order", earlier + " was added after " + later);
                }
            }
        }
    }

    /** What was over before another began saw no more than that: an addition is not unseen again. */
    private void reads(List<Seen> seen) {
        for (Seen later : seen) {
            for (Seen earlier : seen) {
                if (earlier.endedNanos() < later.begunNanos() && last(earlier) > last(later) && isTotal(later)) {
                    wrong("stale", later + " misses what was there for " + earlier);
                }
            }
        }
    }

    /** The place of the total that was seen: -1 before the first, and where it is none of them. */
    private int last(Seen saw) {
        for (int i = 0; i < totals.size() && saw.sum() != 0; i++) {
            if (totals.get(i).sum() == saw.sum()) {
                return i;
            }
        }
        return -1;
    }

    private boolean isTotal(Seen saw) {
        return saw.sum() == 0 || last(saw) >= 0;
    }

    private void seen(Seen saw, List<Addition> additions) {
        if (!isTotal(saw)) {
            wrong("invented", saw + " was never the total");
            return;
        }
        int last = last(saw);
        for (Addition each : additions) {
            if (each.endedNanos() < saw.begunNanos() && place(each) > last) {
                wrong("stale", saw + " misses " + each);
            } else if (each.begunNanos() > saw.endedNanos() && place(each) >= 0 && place(each) <= last) {
                wrong("order", saw + " has already " + each);
            }
        }
    }

    /** Its place among the totals; before the first if it is not there. */
    private int place(Addition addition) {
        return places.getOrDefault(addition.what(), -1);
    }
}
