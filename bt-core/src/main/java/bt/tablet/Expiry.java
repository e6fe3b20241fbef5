package bt.tablet;

import bt.model.GcRule;
import bt.sstable.RuleMark;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** When a garbage-collection rule may turn on a version because of its age. */
final class Expiry {
    /** No time comes after it. */
    static final long NEVER = Long.MAX_VALUE;

    private final long[] agesMicros;
    private final long aloneMicros;

    private Expiry(long[] agesMicros, long aloneMicros) {
        this.agesMicros = agesMicros;
        this.aloneMicros = aloneMicros;
    }

    static Expiry of(GcRule rule) {
        return new Expiry(ages(rule).distinct().toArray(), aloneMicros(rule));
    }

    /** From this age on versions are garbage, whatever else there is, and any compaction drops them; or {@link #NEVER}. */
    long aloneMicros() {
        return aloneMicros;
    }

    /** The first time, not before {@code from}, at which a version of this timestamp reaches an age of the rule. */
    long next(long timestamp, long from) {
        long next = NEVER;
        for (long age : agesMicros) {
            long time = timestamp > Long.MAX_VALUE - age ? NEVER : timestamp + age;
            if (time >= from && time < next) {
                next = time;
            }
        }
        return next;
    }

    /** The lowest age at which a version may be garbage; {@link #NEVER} where ages do not matter. */
    long lowestAgeMicros() {
        return LongStream.of(agesMicros).min().orElse(NEVER);
    }

    /** What files tell of the rule, which is the same for equal rules alone. */
    static String mark(GcRule rule) {
        return RuleMark.of(text(rule));
    }

    /** In words that are the same for equal rules alone. */
    private static String text(GcRule rule) {
        if (rule instanceof GcRule.MaxVersions versions) {
            return "versions " + versions.count();
        }
        if (rule instanceof GcRule.MaxAge age) {
            return "age " + age.micros();
        }
        if (rule instanceof GcRule.Any any) {
            return "any" + texts(any.rules());
        }
        return rule instanceof GcRule.Every every ? "every" + texts(every.rules()) : "";
    }

    private static String texts(List<GcRule> rules) {
        return rules.stream().map(Expiry::text).collect(Collectors.joining(", ", "(", ")"));
    }

    private static LongStream ages(GcRule rule) {
        return rule instanceof GcRule.MaxAge age
                ? LongStream.of(age.micros())
                : Garbage.partsOf(rule).stream().flatMapToLong(Expiry::ages);
    }

    private static long aloneMicros(GcRule rule) {
        if (rule instanceof GcRule.MaxAge age) {
            return age.micros();
        }
        LongStream parts = Garbage.partsOf(rule).stream().mapToLong(Expiry::aloneMicros);
        return (rule instanceof GcRule.Every ? parts.max() : parts.min()).orElse(NEVER);
    }
}
