package bt.tablet;

import bt.model.GcRule;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A garbage-collection rule at work: it is shown the versions of one column after the other, the newest first, deleted
 * ones too, and says which are garbage. A version is past a limit of N when N versions with newer timestamps count
 * against it, and one counts unless it was deleted before this version was written. What is deleted later changes
 * nothing: once past, always past. One thread.
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

    /** Judges the version, and counts it for those below. */
    abstract boolean add(long timestamp, long sequence, long deletedAt);

    /** True when all older versions of the column are garbage too, whatever they are. */
    abstract boolean takesTheRest();

    private static final class PastLimit extends Garbage {
        private final int limit;

        /** Of the versions so far, the {@code limit} that were deleted last, or never. The earliest of them first. */
        private final PriorityQueue<Long> deletedLast = new PriorityQueue<>();

        PastLimit(int limit) {
            this.limit = limit;
        }

        @Override
        void beginColumn() {
            deletedLast.clear();
        }

        @Override
        boolean add(long timestamp, long sequence, long deletedAt) {
            // All of the limit's number were still there after this version had been written: they count against it.
            boolean past = deletedLast.size() == limit && deletedLast.element() > sequence;
            deletedLast.add(deletedAt);
            if (deletedLast.size() > limit) {
                deletedLast.remove();
            }
            return past;
        }

        @Override
        boolean takesTheRest() {
            return deletedLast.size() == limit && deletedLast.element() == Deletions.NEVER;
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
            return rules.stream().anyMatch(Garbage::takesTheRest);
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
            return rules.stream().allMatch(Garbage::takesTheRest);
        }
    }
}
