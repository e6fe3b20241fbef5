package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.record.FamilyAges;
import bt.tablet.FileSpan.Unjudged;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects, while a file is written, what {@link FamilyAges} tell of it: by when a compaction has to look at the file again.
 * One thread.
 */
final class FileAges {
    private final FileSpan span;
    private final long writtenMicros;
    private final Map<Integer, OfFamily> families = new TreeMap<>();

    FileAges(FileSpan span, long writtenMicros) {
        this.span = span;
        this.writtenMicros = writtenMicros;
    }

    long writtenMicros() {
        return writtenMicros;
    }

    void add(Slice key, Slice value, Kind kind, int family) throws CorruptionException {
        OfFamily ages = families.computeIfAbsent(family, this::begin);
        boolean belowHorizon = CellKey.sequenceOf(key) <= span.judged().horizon();
        boolean judged = belowHorizon && span.judged().hasAllOlder();
        if (kind.isDeletion()) {
            ages.hasDeletions |= !judged;
            return;
        }
        ages.hasPuts |= !judged;
        if (kind == Kind.PUT) {
            long timestamp = CellKey.timestampOf(key);
            boolean ageJudged = judged || (belowHorizon && ages.expiry.aloneMicros() != Expiry.NEVER);
            ages.expires(
                    ageJudged
                            ? ages.expiry.next(timestamp, span.judged().nowMicros())
                            : ages.expiryOfUnjudged(timestamp));
            ages.classes.add(age(timestamp), key.length() + value.length());
        }
    }

    List<FamilyAges> finish() {
        List<FamilyAges> all = new ArrayList<>();
        families.forEach((family, ages) -> {
            boolean isJudged = !ages.hasDeletions && !ages.hasPuts;
            all.add(new FamilyAges(
                    family,
                    ages.hasDeletions ? ages.unjudged.deletionMicros() : 0,
                    ages.hasPuts ? ages.unjudged.putMicros() : 0,
                    ages.expiryMicros == Expiry.NEVER ? 0 : ages.expiryMicros,
                    ages.classes.bytes(),
                    isJudged ? ages.rule : ages.unjudged.rule()));
        });
        return all;
    }

    /** Those of the future all alike. */
    private long age(long timestamp) {
        return timestamp > writtenMicros ? -1 : Math.max(0, writtenMicros - Math.max(0, timestamp));
    }

    private OfFamily begin(int family) {
        return new OfFamily(
                span.schema().family(family).map(FamilySchema::garbage).orElse(GcRule.KEEP_ALL),
                span.unjudged().getOrDefault(family, Unjudged.NOTHING));
    }

    private static final class OfFamily {
        final AgeClasses classes = new AgeClasses();
        final Expiry expiry;
        final String rule;
        final Unjudged unjudged;
        long expiryMicros = Expiry.NEVER;
        boolean hasDeletions;
        boolean hasPuts;

        OfFamily(GcRule rule, Unjudged unjudged) {
            this.unjudged = unjudged;
            this.expiry = Expiry.of(rule);
            this.rule = Expiry.mark(rule);
        }

        void expires(long micros) {
            expiryMicros = Math.min(expiryMicros, micros);
        }

        /** Garbage by its age it may have been when it was written, and garbage that has to go not before. */
        long expiryOfUnjudged(long timestamp) {
            long earliest = unjudged.expiryMicros();
            return earliest == 0 ? Expiry.NEVER : Math.max(earliest, expiry.next(timestamp, Long.MIN_VALUE));
        }
    }
}
