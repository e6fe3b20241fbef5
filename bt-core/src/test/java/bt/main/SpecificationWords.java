package bt.main;

import bt.base.Bytes;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The words of one of the {@link SpecificationCalls} behind its table, one after the other. One thread. */
final class SpecificationWords {
    private final Deque<String> words;

    SpecificationWords(List<String> words) {
        this.words = new ArrayDeque<>(words);
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    String next() {
        return words.remove();
    }

    /** Up to a slash or the end. */
    RowMutation mutation() {
        return new RowMutation(Bytes.utf8(next()), changes());
    }

    /** Up to a word behind one that is no plus, which is taken, or the end. */
    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        do {
            changes.add(change());
        } while ("+".equals(words.poll()));
        return changes;
    }

    Change change() {
        String kind = next();
        return switch (kind) {
            case "set" -> new Change.SetCell(column(), number(), bytes());
            case "increment" -> new Change.Increment(column(), number());
            case "append" -> new Change.Append(column(), bytes());
            case "delete-column" -> new Change.DeleteColumn(column());
            case "delete-version" -> new Change.DeleteVersion(column(), number());
            case "delete-versions" -> new Change.DeleteVersions(column(), number(), number());
            case "delete-family" -> new Change.DeleteFamily(next());
            case "delete-row" -> new Change.DeleteRow();
            default -> throw new AssertionError("no change is called " + kind);
        };
    }

    ColumnKey column() {
        String[] parts = next().split(":", 2);
        return ColumnKey.of(parts[0], parts[1]);
    }

    private long number() {
        return Long.parseLong(next());
    }

    private Bytes bytes() {
        return Bytes.utf8(next());
    }
}
