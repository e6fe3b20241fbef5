package bt.tablet;

import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.record.FamilyAges;
import bt.tablet.FileSpan.Unjudged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is known of the file that a compaction makes of its inputs, before it is written. */
final class MergedSpan {
    /** Before everything: of files whose writer did not tell. */
    private static final long UNKNOWN_MICROS = 1;

    private MergedSpan() {}

    static FileSpan of(CompactionInputs inputs, CompactionScope scope) {
        TableSchema schema = inputs.schema();
        List<FileSpan> spans = new ArrayList<>();
        inputs.files().forEach(file -> spans.add(of(file, schema)));
        inputs.memtable().ifPresent(frozen -> spans.add(frozen.span()));
        Map<Integer, Unjudged> unjudged = new HashMap<>();
        for (FileSpan span : spans) {
            // What is left unjudged by a major compaction lies above its horizon.
            if (!scope.hasAllOlder() || span.largestSequence() > scope.horizon()) {
                span.unjudged()
                        .forEach(
                                (family, one) -> unjudged.merge(family, one, (a, b) -> earliest(a, b, family, schema)));
            }
        }
        return new FileSpan(
                schema,
                spans.stream().mapToLong(FileSpan::smallestSequence).min().orElse(0),
                spans.stream().mapToLong(FileSpan::largestSequence).max().orElse(0),
                spans.stream().mapToLong(FileSpan::highestServerTimestamp).max().orElse(0),
                scope,
                unjudged);
    }

    private static FileSpan of(TabletFile file, TableSchema schema) {
        FileFacts facts = file.facts();
        return new FileSpan(
                schema,
                facts.smallestSequence(),
                facts.largestSequence(),
                file.properties().getHighestServerTimestamp(),
                CompactionScope.NOTHING,
                of(facts, schema));
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
                .map(Expiry::mark)
                .orElse("");
        return new Unjudged(
                ChangeTimes.earlier(a.deletionMicros(), b.deletionMicros()),
                ChangeTimes.earlier(a.putMicros(), b.putMicros()),
                ChangeTimes.earlier(a.expiryMicros(), b.expiryMicros()),
                a.rule().equals(present) ? b.rule() : a.rule());
    }
}
