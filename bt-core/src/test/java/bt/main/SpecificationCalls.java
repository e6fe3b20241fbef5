package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Failures;
import bt.base.RejectedException;
import bt.client.BatchWriter;
import bt.client.Bigtable;
import bt.client.Table;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.RowMutation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What only programs do, as lines of a {@link Specification}:
 *
 * <pre>
 * mutate TABLE ROW CHANGE + CHANGE …               the changes in one mutation; answers what increments and appends made
 * batch TABLE ROW CHANGE + CHANGE … / ROW CHANGE … the mutations of one batch; answers what became of each
 * transact TABLE ROW FROM TO [meanwhile CHANGE]    copies the newest value of a column; answers what each run of the
 *                                                  transaction has read, or none; after its first read another makes a change
 * when TABLE ROW FILTER then CHANGE + CHANGE … [else CHANGE + CHANGE …]
 *                                                  one mutation or the other, or nothing; answers which, then or else
 *
 * CHANGE = set COLUMN TIMESTAMP VALUE | increment COLUMN AMOUNT | append COLUMN VALUE | delete-column COLUMN
 *        | delete-version COLUMN TIMESTAMP | delete-versions COLUMN OLDEST NEWEST | delete-family FAMILY | delete-row
 * </pre>
 */
final class SpecificationCalls {
    private static final Set<String> CALLS = Set.of("mutate", "batch", "transact", "when");

    private final Table table;
    private final Deque<String> words;
    private final List<String> answer = new ArrayList<>();

    private SpecificationCalls(Table table, Deque<String> words) {
        this.table = table;
        this.words = words;
    }

    static boolean isOne(List<String> words) {
        return CALLS.contains(words.get(0));
    }

    static Result run(Bigtable bigtable, List<String> words) {
        try {
            Deque<String> rest = new ArrayDeque<>(words.subList(2, words.size()));
            SpecificationCalls call = new SpecificationCalls(bigtable.table(words.get(1)), rest);
            switch (words.get(0)) {
                case "mutate" -> call.mutate();
                case "batch" -> call.batch();
                case "when" -> call.when();
                default -> call.transact();
            }
            return new Result(ExitCode.DONE, String.join("\n", call.answer), "");
        } catch (BigtableException failed) {
            return new Result(ExitCode.of(failed), "", String.valueOf(failed.getMessage()));
        } catch (IllegalArgumentException refused) {
            return new Result(ExitCode.REJECTED, "", String.valueOf(refused.getMessage()));
        }
    }

    private void mutate() throws BigtableException {
        RowMutation mutation = mutation();
        if (!mutation.readsRow()) {
            table.apply(mutation);
            return;
        }
        table.modify(mutation).forEach((column, value) -> {
            boolean isCounter = mutation.changes().stream()
                    .anyMatch(change -> change instanceof Change.Increment increment
                            && increment.column().equals(column));
            answer.add(column + "\t" + (isCounter ? "" + Counter.decode(value) : value.toUtf8()));
        });
    }

    private void batch() throws BigtableException {
        List<Bytes> rows = new ArrayList<>();
        List<CompletableFuture<Long>> results = new ArrayList<>();
        BatchWriter batch = table.batch();
        while (!words.isEmpty()) {
            RowMutation mutation = mutation();
            rows.add(mutation.row());
            results.add(added(batch, mutation));
        }
        try {
            batch.close();
        } catch (RejectedException told) {
            // The results say the same of each.
        }
        for (int i = 0; i < rows.size(); i++) {
            answer.add(rows.get(i)
                    + "\t"
                    + results.get(i)
                            .handle((value, failed) -> failed == null ? "applied" : told(failed))
                            .join());
        }
    }

    private static String told(Throwable failed) {
        if (Failures.unwrap(failed) instanceof BigtableException failure) {
            return failure.kind() + " " + failure.outcome();
        }
        throw new AssertionError(failed);
    }

    /** A mutation is not taken by a call that tells of one before it. */
    private static CompletableFuture<Long> added(BatchWriter batch, RowMutation mutation) throws BigtableException {
        while (true) {
            try {
                return batch.add(mutation);
            } catch (RejectedException told) {
                // Of each only once, so this comes to an end.
            }
        }
    }

    private void transact() throws BigtableException {
        Bytes row = Bytes.utf8(words.remove());
        ColumnKey from = column();
        ColumnKey to = column();
        Optional<RowMutation> meanwhile = Optional.empty();
        if (!words.isEmpty()) {
            words.remove();
            meanwhile = Optional.of(new RowMutation(row, List.of(change())));
        }
        Deque<RowMutation> others = new ArrayDeque<>(meanwhile.stream().toList());
        table.transact(row, tx -> {
            Bytes value = tx.value(from).orElse(Bytes.utf8("none"));
            answer.add(value.toUtf8());
            if (!others.isEmpty()) {
                table.apply(others.remove());
            }
            return tx.set(to, 1, value);
        });
    }

    private void when() throws BigtableException {
        Bytes row = Bytes.utf8(words.remove());
        Filter predicate = FilterText.parse(words.remove());
        if (!"then".equals(words.remove())) {
            throw new AssertionError("no then");
        }
        List<Change> passes = changes();
        List<Change> otherwise = words.isEmpty() ? List.of() : changes();
        boolean passed = table.apply(new ConditionalMutation(row, predicate, passes, otherwise));
        answer.add(passed ? "then" : "else");
    }

    /** Up to a slash or the end. */
    private RowMutation mutation() {
        return new RowMutation(Bytes.utf8(words.remove()), changes());
    }

    /** Up to a word behind one that is no plus, which is taken, or the end. */
    private List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        do {
            changes.add(change());
        } while ("+".equals(words.poll()));
        return changes;
    }

    private Change change() {
        String kind = words.remove();
        return switch (kind) {
            case "set" -> new Change.SetCell(column(), number(), bytes());
            case "increment" -> new Change.Increment(column(), number());
            case "append" -> new Change.Append(column(), bytes());
            case "delete-column" -> new Change.DeleteColumn(column());
            case "delete-version" -> new Change.DeleteVersion(column(), number());
            case "delete-versions" -> new Change.DeleteVersions(column(), number(), number());
            case "delete-family" -> new Change.DeleteFamily(words.remove());
            case "delete-row" -> new Change.DeleteRow();
            default -> throw new AssertionError("no change is called " + kind);
        };
    }

    private ColumnKey column() {
        String[] parts = words.remove().split(":", 2);
        return ColumnKey.of(parts[0], parts[1]);
    }

    private long number() {
        return Long.parseLong(words.remove());
    }

    private Bytes bytes() {
        return Bytes.utf8(words.remove());
    }
}
