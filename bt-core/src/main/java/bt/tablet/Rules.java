package bt.tablet;

import bt.model.FamilySchema;
import bt.model.GcRule;
import java.util.HashMap;
import java.util.Map;

/** The garbage-collection rules of the families of reads, one read after the other. One thread. */
final class Rules {
    /** Has no state. */
    static final Garbage KEEP_ALL = Garbage.of(GcRule.KEEP_ALL, 0);

    /** Where tables have more rules than that, some are made again. */
    private static final int MAX_KEPT = 64;

    /** One for all families of a rule: a read is in one column at a time. */
    private final Map<GcRule, Garbage> kept = new HashMap<>();

    private GcRule last = GcRule.KEEP_ALL;
    private Garbage garbageOfLast = KEEP_ALL;
    private long nowMicros;

    /** Ages are judged by this time from now on. */
    void begin(long atMicros) {
        nowMicros = atMicros;
    }

    /** The family's rule, about to judge a column. */
    Garbage beginColumn(FamilySchema family) {
        GcRule wanted = family.garbage();
        // Most columns have the rule of the one before, the same object.
        if (wanted != last) {
            last = wanted;
            garbageOfLast = garbage(wanted);
        }
        garbageOfLast.beginColumn(nowMicros);
        return garbageOfLast;
    }

    private Garbage garbage(GcRule rule) {
        if (rule.equals(GcRule.KEEP_ALL)) {
            return KEEP_ALL;
        }
        if (kept.size() > MAX_KEPT) {
            kept.clear();
        }
        return kept.computeIfAbsent(rule, made -> Garbage.of(made, nowMicros));
    }
}
