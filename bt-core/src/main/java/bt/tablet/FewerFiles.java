package bt.tablet;

import bt.model.TableSchema;
import bt.record.FileReference;
import bt.tablet.CompactionPlan.Reason;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What to compact of a tablet whose server is short of memory, of which each open file takes a part, however small it is: files become
 * fewer, down to one for each locality group. Pure functions.
 */
final class FewerFiles {
    private FewerFiles() {}

    /** The runs from this one on, or the two newest at least, or of those as many of the newest as become fewer files. */
    static Optional<CompactionPlan> pick(List<List<FileFacts>> runs, int first, TableSchema schema) {
        int newestPair = Math.max(0, runs.size() - 2);
        return IntStream.range(Math.min(first, newestPair), runs.size() - 1)
                .mapToObj(from -> CompactionPicker.plan(runs, from, runs.size(), Reason.MEMORY))
                .filter(plan -> written(plan.inputs(), schema) < plan.inputs().size())
                .findFirst();
    }

    /** Whether a compaction may write more files than it reads, as where they are of a grouping of few groups and the present one has many. */
    static boolean becomeMore(List<FileReference> inputs, TableSchema schema) {
        return written(inputs, schema) > inputs.size();
    }

    private static int written(List<FileReference> inputs, TableSchema schema) {
        return CompactionInputs.groups(inputs, schema).size();
    }
}
