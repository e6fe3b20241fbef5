package bt.tablet;

import bt.model.TableSchema;
import bt.record.FileReference;
import bt.tablet.CompactionPlan.Reason;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What to compact of a tablet whose server is short of memory, of which each open file takes a part, however small it is: files become
 * fewer, down to one for each locality group, and never more: what has to be rewritten of an earlier grouping keeps it. Pure functions.
 */
final class FewerFiles {
    /**
     * So many times larger an older run may be than the newest to be merged with that alone. A flush takes part in such merges, and those of
     * small memtables would write a large file again each time: little memory would be free behind much work, and writes wait for it.
     */
    private static final int MOST_TIMES_LARGER = 8;

    private FewerFiles() {}

    /**
     * The runs from this one on, from where they are of a size, or, where that is the newest alone, it and the one before; or of those as
     * many of the newest as become fewer files.
     */
    static Optional<CompactionPlan> pick(List<List<FileFacts>> runs, int first, TableSchema schema) {
        int from = first > 0 && first == runs.size() - 1 && isNear(runs, first) ? first - 1 : first;
        return IntStream.range(from, runs.size() - 1)
                .mapToObj(oldest -> CompactionPicker.plan(runs, oldest, runs.size(), Reason.MEMORY))
                .filter(plan -> written(plan.inputs(), schema) < plan.inputs().size())
                .findFirst();
    }

    private static boolean isNear(List<List<FileFacts>> runs, int newest) {
        long older = CompactionPicker.bytes(runs.subList(newest - 1, newest));
        return older <= MOST_TIMES_LARGER * CompactionPicker.bytes(runs.subList(newest, newest + 1));
    }

    /** Whether a compaction would write more files than it reads, as where they are of a grouping of few groups and the present one has many. */
    static boolean becomeMore(List<FileReference> inputs, TableSchema schema) {
        return CompactionInputs.groups(inputs, schema).size() > inputs.size();
    }

    /** Whether a compaction would write fewer files than it reads, by the groups of the schema. */
    static boolean becomeFewer(List<FileReference> inputs, TableSchema schema) {
        return CompactionInputs.groups(inputs, schema).size() < inputs.size();
    }

    /** The schema, where by its groups files become fewer; otherwise with those in one that lie together in a file. */
    static TableSchema grouping(List<FileReference> inputs, TableSchema schema) {
        if (becomeFewer(inputs, schema)) {
            return schema;
        }
        return JoinedGroups.of(inputs.stream().map(FileReference::getFamilies).toList(), schema)
                .in(schema);
    }

    private static int written(List<FileReference> inputs, TableSchema schema) {
        return CompactionInputs.groups(inputs, grouping(inputs, schema)).size();
    }
}
