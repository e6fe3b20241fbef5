package bt.protocol;

import bt.base.RejectedException;
import bt.model.Filter;
import bt.model.FilterRegexes;
import bt.model.Regex;

/**
 * Compiles the regular expressions of a request that was decoded: before its filters are run, and not on an event loop. Two hundred
 * bytes may take milliseconds, and thousands of such requests may come in one turn of it. REJECTED where one is none.
 */
public final class Regexes {
    private Regexes() {}

    /** Of a scan. */
    public static void compile(Filter filter) throws RejectedException {
        try {
            FilterRegexes.forEach(filter, Regex::compile);
        } catch (IllegalArgumentException refused) {
            throw RejectedException.of("request", refused, "correct what is sent");
        }
    }

    /** Of a write's condition. */
    public static void compile(Write write) throws RejectedException {
        Condition condition = write.condition().orElse(null);
        if (condition instanceof Condition.Passes passes) {
            compile(passes.filter());
        } else if (condition instanceof Condition.Shows shows) {
            for (Condition.Seen seen : shows.seen()) {
                compile(seen.filter());
            }
        }
    }
}
