package bt.tablet;

import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.record.FamilyAges;
import bt.tablet.FileSpan.Unjudged;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is known of the file that a compaction makes of others, before it is written. */
final class MergedSpan {
    /** Before everything: of files whose writer did not tell. */
    private static final long UNKNOWN_MICROS = 1;

    private MergedSpan() {}

    static FileSpan of(List<TabletFile> inputs, TableSchema schema, CompactionScope scope) {
        List<FileFacts> facts = inputs.stream().map(TabletFile::facts).toList();
        return new FileSpan(
                schema,
                facts.stream().mapToLong(FileFacts::smallestSequence).min().orElse(0),
                facts.stream().mapToLong(FileFacts::largestSequence).max().orElse(0),
                inputs.stream()
                        .mapToLong(file -> file.properties().getHighestServerTimestamp())
                        .max()
                        .orElse(0),
                scope,
                unjudged(facts, schema, scope));
    }

    private static Map<Integer, Unjudged> unjudged(List<FileFacts> inputs, TableSchema schema, CompactionScope scope) {
        Map<Integer, Unjudged> all = new HashMap<>();
        for (FileFacts input : inputs) {
            // What is left unjudged by a major compaction lies above its horizon.
            if (!scope.hasAllOlder() || input.largestSequence() > scope.horizon()) {
                of(input, schema)
                        .forEach((family, one) -> all.merge(family, one, (a, b) -> earliest(a, b, family, schema)));
            }
        }
        return all;
    }

    private static Map<Integer, Unjudged> of(FileFacts input, TableSchema schema) {
        Map<Integer, Unjudged> all = new HashMap<>();
        if (input.writtenMicros() == 0) {
            Unjudged unknown = new Unjudged(UNKNOWN_MICROS, UNKNOWN_MICROS, UNKNOWN_MICROS, "");
            all.put(CellKey.ROW_LEVEL, unknown);
            schema.families().forEach(family -> all.put(family.id(), unknown));
        }
        for (FamilyAges ages : input.ages()) {
            all.put(
                    ages.getFamily(),
                    new Unjudged(
                            ages.getOldestDeletionMicros(),
                            ages.getOldestPutMicros(),
                            ages.getExpiryMicros(),
                            ages.getRule()));
        }
        return all;
    }

    private static Unjudged earliest(Unjudged a, Unjudged b, int family, TableSchema schema) {
        String present = schema.family(family)
                .map(FamilySchema::garbage)
                .map(Expiry::text)
                .orElse("");
        return new Unjudged(
                ChangeTimes.earlier(a.deletionMicros(), b.deletionMicros()),
                ChangeTimes.earlier(a.putMicros(), b.putMicros()),
                ChangeTimes.earlier(a.expiryMicros(), b.expiryMicros()),
                a.rule().equals(present) ? b.rule() : a.rule());
    }
}
