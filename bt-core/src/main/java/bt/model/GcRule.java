package bt.model;

import static bt.base.Check.checkGiven;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Which versions of a column are garbage. A version that has once fallen out of a rule's limit stays out. Section 2 of
 * the paper: only the last n versions, or only new-enough ones.
 */
public sealed interface GcRule {
    /** Nothing is garbage. */
    GcRule KEEP_ALL = new KeepAll();

    /** How many rules of rules stand in each other at most: deeper ones nobody means, and they would not fit a stack. */
    int MAX_DEPTH = 10;

    /** Keeps the newest so many versions. */
    static GcRule versions(int count) {
        return new MaxVersions(count);
    }

    /** Keeps what is not older than this, to the microsecond. */
    static GcRule age(Duration most) {
        return new MaxAge(TimeUnit.MICROSECONDS.convert(most));
    }

    /** Garbage when any of these says so; IllegalArgumentException where there is none. */
    static GcRule any(GcRule... rules) {
        return new Any(List.of(rules));
    }

    /** Garbage when every one of these says so; IllegalArgumentException where there is none. */
    static GcRule every(GcRule... rules) {
        return new Every(List.of(rules));
    }

    /**
     * Whether all that one rule keeps is kept by the second too, so that a family loses nothing when that takes the first
     * one's place. False too of rules of rules where it takes more than comparing their parts to see that.
     */
    static boolean keepsAllOf(GcRule other, GcRule rule) {
        if (rule instanceof Any any) {
            return any.rules().stream().allMatch(part -> keepsAllOf(other, part));
        }
        if (other instanceof Every every) {
            return every.rules().stream().allMatch(part -> keepsAllOf(part, rule));
        }
        boolean isEnough =
                rule instanceof Every every && every.rules().stream().anyMatch(part -> keepsAllOf(other, part));
        return isEnough
                || (other instanceof Any any && any.rules().stream().anyMatch(part -> keepsAllOf(part, rule)))
                || isNoStricter(other, rule);
    }

    private static boolean isNoStricter(GcRule other, GcRule rule) {
        if (rule instanceof MaxVersions most && other instanceof MaxVersions before) {
            return most.count() >= before.count();
        }
        if (rule instanceof MaxAge most && other instanceof MaxAge before) {
            return most.micros() >= before.micros();
        }
        return rule instanceof KeepAll;
    }

    /** Keeps everything. */
    record KeepAll() implements GcRule {}

    /**
     * A version is garbage when it has fallen out of the {@code count} with the newest timestamps: with the write of a
     * newer one, or with its own. Those that are deleted, or fell out themselves, count no more.
     */
    record MaxVersions(int count) implements GcRule {
        public MaxVersions {
            checkGiven(
                    count > 0, "at least one version is kept, not %d", "keep one or more, or delete the cells", count);
        }
    }

    /** A version is garbage when its timestamp is older than this, in microseconds. */
    record MaxAge(long micros) implements GcRule {
        public MaxAge {
            checkGiven(micros > 0, "an age is positive, not %d", "give one above 0", micros);
        }
    }

    /** Garbage when any of the rules says so; there is one at least. */
    record Any(List<GcRule> rules) implements GcRule {
        public Any {
            rules = checked(rules);
        }
    }

    /** Garbage when every rule says so; there is one at least. */
    record Every(List<GcRule> rules) implements GcRule {
        public Every {
            rules = checked(rules);
        }
    }

    private static List<GcRule> checked(List<GcRule> rules) {
        checkGiven(!rules.isEmpty(), "a rule of no rules", "name one at least, or keep all versions");
        List<GcRule> parts = List.copyOf(rules);
        int depth = 1 + parts.stream().mapToInt(GcRule::depth).max().orElse(0);
        checkGiven(
                depth <= MAX_DEPTH,
                "a rule of rules %d deep, %d are allowed",
                "say the same with fewer of any and every",
                depth,
                MAX_DEPTH);
        return parts;
    }

    private static int depth(GcRule rule) {
        if (rule instanceof Any any) {
            return 1 + any.rules().stream().mapToInt(GcRule::depth).max().orElse(0);
        }
        return rule instanceof Every every
                ? 1 + every.rules().stream().mapToInt(GcRule::depth).max().orElse(0)
                : 0;
    }
}
