package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
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

    private final Bigtable bigtable;
    private final SpecificationWrites door;
    private final String table;
    private final SpecificationWords words;
    private final List<String> answer = new ArrayList<>();

    private SpecificationCalls(Bigtable bigtable, SpecificationWrites door, List<String> words) {
        this.bigtable = bigtable;
        this.door = door;
        this.table = words.get(1);
        this.words = new SpecificationWords(words.subList(2, words.size()));
    }

    static boolean isOne(List<String> words) {
        return CALLS.contains(words.get(0));
    }

    /** Whether it writes in any other way than a transaction. */
    static boolean isPlain(List<String> words) {
        return isOne(words) && !words.get(0).equals("transact");
    }

    /** @param door where they go, but for transactions, which are the library's */
    static Result run(Bigtable bigtable, SpecificationWrites door, List<String> words) {
        SpecificationCalls call = new SpecificationCalls(bigtable, door, words);
        try {
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
        RowMutation mutation = words.mutation();
        if (!mutation.readsRow()) {
            door.apply(table, mutation);
            return;
        }
        door.modify(table, mutation).forEach((column, value) -> {
            boolean isCounter = mutation.changes().stream()
                    .anyMatch(change -> change instanceof Change.Increment increment
                            && increment.column().equals(column));
            answer.add(column + "\t" + (isCounter ? "" + Counter.decode(value) : value.toUtf8()));
        });
    }

    private void batch() throws BigtableException {
        List<RowMutation> mutations = new ArrayList<>();
        while (!words.isEmpty()) {
            mutations.add(words.mutation());
        }
        List<Optional<BigtableException>> failures = door.applyAll(table, mutations);
        for (int i = 0; i < mutations.size(); i++) {
            String told = failures.get(i)
                    .map(failure -> failure.kind() + " " + failure.outcome())
                    .orElse("applied");
            answer.add(mutations.get(i).row() + "\t" + told);
        }
    }

    private void transact() throws BigtableException {
        Bytes row = Bytes.utf8(words.next());
        ColumnKey from = words.column();
        ColumnKey to = words.column();
        Optional<RowMutation> meanwhile = Optional.empty();
        if (!words.isEmpty()) {
            words.next();
            meanwhile = Optional.of(new RowMutation(row, List.of(words.change())));
        }
        Deque<RowMutation> others = new ArrayDeque<>(meanwhile.stream().toList());
        Table open = bigtable.table(table);
        open.transact(row, tx -> {
            Bytes value = tx.value(from).orElse(Bytes.utf8("none"));
            answer.add(value.toUtf8());
            if (!others.isEmpty()) {
                open.apply(others.remove());
            }
            return tx.set(to, 1, value);
        });
    }

    private void when() throws BigtableException {
        Bytes row = Bytes.utf8(words.next());
        Filter predicate = FilterText.parse(words.next());
        if (!"then".equals(words.next())) {
            throw new AssertionError("no then");
        }
        List<Change> passes = words.changes();
        List<Change> otherwise = words.isEmpty() ? List.of() : words.changes();
        boolean passed = door.apply(table, new ConditionalMutation(row, predicate, passes, otherwise));
        answer.add(passed ? "then" : "else");
    }
}
