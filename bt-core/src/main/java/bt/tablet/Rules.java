package bt.tablet;

import bt.model.FamilySchema;
import bt.model.GcRule;
import java.util.HashMap;
import java.util.Map;

/** The garbage-collection rules of a read's families, at work at one time. One thread. */
final class Rules {
    /** Has no state. */
    static final Garbage KEEP_ALL = Garbage.of(GcRule.KEEP_ALL, 0);

    private final long nowMicros;
    private final Map<Integer, Garbage> byFamily = new HashMap<>(4);

    Rules(long nowMicros) {
        this.nowMicros = nowMicros;
    }

    Garbage of(FamilySchema family) {
        if (family.garbage().equals(GcRule.KEEP_ALL)) {
            return KEEP_ALL;
        }
        return byFamily.computeIfAbsent(family.id(), id -> Garbage.of(family.garbage(), nowMicros));
    }
}
