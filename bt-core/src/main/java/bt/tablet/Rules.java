package bt.tablet;

import bt.model.FamilySchema;
import bt.model.GcRule;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The garbage-collection rules of a read's families, at work at one time. One thread. */
final class Rules {
    /** Has no state. */
    static final Garbage KEEP_ALL = Garbage.of(GcRule.KEEP_ALL, 0);

    private final long nowMicros;
    private @Nullable Map<Integer, Garbage> byFamily;

    Rules(long nowMicros) {
        this.nowMicros = nowMicros;
    }

    Garbage of(FamilySchema family) {
        if (family.garbage().equals(GcRule.KEEP_ALL)) {
            return KEEP_ALL;
        }
        Map<Integer, Garbage> begun = byFamily;
        if (begun == null) {
            begun = new HashMap<>();
            byFamily = begun;
        }
        return begun.computeIfAbsent(family.id(), id -> Garbage.of(family.garbage(), nowMicros));
    }
}
