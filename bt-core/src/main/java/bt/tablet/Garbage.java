package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.GcRule;
import java.util.List;
import java.util.OptionalInt;

/**
 * A garbage-collection rule at work: it is shown the puts of one column after the other, in the order of their keys,
 * deleted and overwritten ones too, and says which are garbage. What stood before a deletion of the whole column is not
 * shown. One thread.
 */
abstract sealed class Garbage {
    /** {@code nowMicros} is what ages are judged by. */
    static Garbage of(GcRule rule, long nowMicros) {
        if (rule instanceof GcRule.MaxVersions versions) {
            return new PastLimit(versions.count());
        }
        if (rule instanceof GcRule.MaxAge age) {
            return new PastAge(age.micros(), nowMicros);
        }
        if (rule instanceof GcRule.Any any) {
            return new AnyOf(allOf(any.rules(), nowMicros));
        }
        if (rule instanceof GcRule.Every every) {
            return new EveryOf(allOf(every.rules(), nowMicros));
        }
        return new None();
    }

    /** Whether the answer for one version can depend on others. */
    static boolean counts(GcRule rule) {
        return rule instanceof GcRule.MaxVersions || partsOf(rule).stream().anyMatch(Garbage::counts);
    }

    /** Whether a version that has fallen out of a limit can be shown all the same. */
    static boolean mayShowWhatFellOut(GcRule rule) {
        return rule instanceof GcRule.Every
                ? counts(rule)
                : partsOf(rule).stream().anyMatch(Garbage::mayShowWhatFellOut);
    }

    /** The limit of a rule that never shows what has fallen out of one: the lowest, for what it holds the others hold. */
    static OptionalInt limitOf(GcRule rule) {
        return rule instanceof GcRule.MaxVersions versions
                ? OptionalInt.of(versions.count())
                : partsOf(rule).stream()
                        .map(Garbage::limitOf)
                        .flatMapToInt(OptionalInt::stream)
                        .min();
    }

    static List<GcRule> partsOf(GcRule rule) {
        if (rule instanceof GcRule.Any any) {
            return any.rules();
        }
        return rule instanceof GcRule.Every every ? every.rules() : List.of();
    }

    private static List<Garbage> allOf(List<GcRule> rules, long nowMicros) {
        return rules.stream().map(rule -> of(rule, nowMicros)).toList();
    }

    /** Ages are judged by this time from now on. */
    abstract void beginColumn(long nowMicros);

    /**
     * Judges the put, and counts it for those below. Of one timestamp only the first that is shown is a version; the
     * others were overwritten, but counted until then.
     */
    abstract boolean add(long timestamp, long sequence, long deletedAt);

    /** True when all older versions of the column are garbage too, whatever they are. */
    abstract boolean takesTheRest();

    /** Whether a version is garbage by its age alone, and so every older one. */
    abstract boolean isTooOld(long timestamp);

    /** Whether the put that was judged last counted against older ones for a while, by any limit. */
    abstract boolean hasPlace();

    /** What {@link #restore} needs: what its limits have counted of the column. */
    void save(Output out) {}

    /** Goes on in a column as one of the same rule did that was saved. */
    void restore(Input in) throws CorruptionException {}

    private static final class PastLimit extends Garbage {
        private final VersionLimit limit;
        private boolean fell;

        PastLimit(int limit) {
            this.limit = new VersionLimit(limit);
        }

        @Override
        void beginColumn(long nowMicros) {
            limit.beginColumn();
        }

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            fell = limit.add(timestamp, sequence, deletedAt);
            return fell;
        }

        @Override
        boolean isTooOld(long timestamp) {
            return false;
        }

        @Override
        void save(Output out) {
            limit.save(out);
        }

        @Override
        void restore(Input in) throws CorruptionException {
            limit.restore(in);
        }

        @Override
        boolean hasPlace() {
            return !fell;
        }

        @Override
        boolean takesTheRest() {
            return limit.isReachedForGood();
        }
    }

    private static final class PastAge extends Garbage {
        private final long maxMicros;
        private long oldest;
        private boolean reached;

        PastAge(long maxMicros, long nowMicros) {
            this.maxMicros = maxMicros;
            this.oldest = nowMicros - maxMicros;
        }

        @Override
        void beginColumn(long nowMicros) {
            oldest = nowMicros - maxMicros;
            reached = false;
        }

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            reached = isTooOld(timestamp);
            return reached;
        }

        @Override
        boolean isTooOld(long timestamp) {
            return timestamp < oldest;
        }

        @Override
        boolean hasPlace() {
            return false;
        }

        @Override
        boolean takesTheRest() {
            return reached;
        }
    }

    /** Every rule sees every version, or the limits among them would miscount. */
    private abstract static sealed class Combined extends Garbage {
        final List<Garbage> rules;

        Combined(List<Garbage> rules) {
            this.rules = rules;
        }

        @Override
        final void beginColumn(long nowMicros) {
            for (Garbage rule : rules) {
                rule.beginColumn(nowMicros);
            }
        }

        @Override
        final void save(Output out) {
            rules.forEach(rule -> rule.save(out));
        }

        @Override
        final void restore(Input in) throws CorruptionException {
            for (Garbage rule : rules) {
                rule.restore(in);
            }
        }

        @Override
        final boolean hasPlace() {
            return rules.stream().anyMatch(Garbage::hasPlace);
        }
    }

    /** Nothing is garbage. */
    private static final class None extends Garbage {
        @Override
        void beginColumn(long nowMicros) {}

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            return false;
        }

        @Override
        boolean takesTheRest() {
            return false;
        }

        @Override
        boolean isTooOld(long timestamp) {
            return false;
        }

        @Override
        boolean hasPlace() {
            return false;
        }
    }

    private static final class AnyOf extends Combined {
        AnyOf(List<Garbage> rules) {
            super(rules);
        }

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            boolean any = false;
            for (Garbage rule : rules) {
                any |= rule.add(timestamp, sequence, deletedAt);
            }
            return any;
        }

        @Override
        boolean takesTheRest() {
            // No streams: this is asked at every put.
            for (Garbage rule : rules) {
                if (rule.takesTheRest()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        boolean isTooOld(long timestamp) {
            return rules.stream().anyMatch(rule -> rule.isTooOld(timestamp));
        }
    }

    private static final class EveryOf extends Combined {
        EveryOf(List<Garbage> rules) {
            super(rules);
        }

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            boolean every = true;
            for (Garbage rule : rules) {
                every &= rule.add(timestamp, sequence, deletedAt);
            }
            return every;
        }

        @Override
        boolean takesTheRest() {
            for (Garbage rule : rules) {
                if (!rule.takesTheRest()) {
                    return false;
                }
            }
            return true;
        }

        @Override
        boolean isTooOld(long timestamp) {
            return rules.stream().allMatch(rule -> rule.isTooOld(timestamp));
        }
    }
}
