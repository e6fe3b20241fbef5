package bt.model;

import static bt.base.Check.checkArgument;

import java.util.List;

/** Which versions of a column are garbage. A version that has once fallen out of a rule's limit stays out. */
public sealed interface GcRule {
    /** Nothing is garbage. */
    GcRule KEEP_ALL = new KeepAll();

    /** Keeps everything. */
    record KeepAll() implements GcRule {}

    /**
     * A version is garbage when it has fallen out of the {@code count} with the newest timestamps: with the write of a
     * newer one, or with its own. Those that are deleted, or fell out themselves, count no more.
     */
    record MaxVersions(int count) implements GcRule {
        public MaxVersions {
            checkArgument(count > 0, "at least one version is kept, not %d", count);
        }
    }

    /** A version is garbage when its timestamp is older than this, in microseconds. */
    record MaxAge(long micros) implements GcRule {
        public MaxAge {
            checkArgument(micros > 0, "an age is positive, not %d", micros);
        }
    }

    /** Garbage when any of the rules says so. */
    record Any(List<GcRule> rules) implements GcRule {
        public Any {
            rules = List.copyOf(rules);
        }
    }

    /** Garbage when every rule says so. */
    record Every(List<GcRule> rules) implements GcRule {
        public Every {
            rules = List.copyOf(rules);
            checkArgument(!rules.isEmpty(), "every rule of none would collect everything");
        }
    }
}
