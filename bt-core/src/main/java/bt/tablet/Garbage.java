package bt.tablet;

import bt.model.GcRule;
import java.util.List;

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
            return new PastAge(nowMicros - age.micros());
        }
        if (rule instanceof GcRule.Any any) {
            return new AnyOf(allOf(any.rules(), nowMicros));
        }
        if (rule instanceof GcRule.Every every) {
            return new EveryOf(allOf(every.rules(), nowMicros));
        }
        return new AnyOf(List.of());
    }

    private static List<Garbage> allOf(List<GcRule> rules, long nowMicros) {
        return rules.stream().map(rule -> of(rule, nowMicros)).toList();
    }

    abstract void beginColumn();

    /**
     * Judges the put, and counts it for those below. Of one timestamp only the first that is shown is a version; the
     * others were overwritten, but counted until then.
     */
    abstract boolean add(long timestamp, long sequence, long deletedAt);

    /** True when all older versions of the column are garbage too, whatever they are. */
    abstract boolean takesTheRest();

    private static final class PastLimit extends Garbage {
        private final VersionLimit limit;

        PastLimit(int limit) {
            this.limit = new VersionLimit(limit);
        }

        @Override
        void beginColumn() {
            limit.beginColumn();
        }

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            return limit.add(timestamp, sequence, deletedAt);
        }

        @Override
        boolean takesTheRest() {
            return limit.isReachedForGood();
        }
    }

    private static final class PastAge extends Garbage {
        private final long oldest;
        private boolean reached;

        PastAge(long oldest) {
            this.oldest = oldest;
        }

        @Override
        void beginColumn() {
            reached = false;
        }

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            reached = timestamp < oldest;
            return reached;
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
        final void beginColumn() {
            rules.forEach(Garbage::beginColumn);
        }
    }

    /** Of no rules: nothing is garbage. */
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
    }
}
