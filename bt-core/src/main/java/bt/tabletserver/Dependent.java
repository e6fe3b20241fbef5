package bt.tabletserver;

import static bt.base.Check.checkGiven;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.MistakeException;
import bt.base.Output;
import bt.model.Cell;
import bt.model.Change;
import bt.model.Change.SetCell;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.Limits;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A mutation whose increments and appends are the cells that they come to, and what it is answered: if it is one of these
 * alone, the count or the length of the value that is now there.
 */
record Dependent(RowMutation mutation, OptionalLong answer) {
    /** IllegalArgumentException where what the row holds cannot be added to. */
    static Dependent of(RowMutation mutation, RowSight row, long nowMicros) throws BigtableException {
        List<ColumnKey> columns = mutation.changes().stream()
                .flatMap(change -> change.changed().stream())
                .toList();
        Map<ColumnKey, Cell> newest = row.newest(columns);
        List<Change> changes = new ArrayList<>();
        OptionalLong answer = OptionalLong.empty();
        for (Change change : mutation.changes()) {
            Optional<Cell> before = change.changed().flatMap(column -> Optional.ofNullable(newest.get(column)));
            if (change instanceof Change.Increment increment) {
                long count = sum(count(before), increment.amount());
                changes.add(new SetCell(increment.column(), timestamp(before, nowMicros), Counter.encode(count)));
                answer = OptionalLong.of(count);
            } else if (change instanceof Change.Append append) {
                Bytes value = joined(before.map(Cell::value).orElse(Bytes.EMPTY), append.value());
                changes.add(new SetCell(append.column(), timestamp(before, nowMicros), value));
                answer = OptionalLong.of(value.length());
            } else {
                changes.add(change);
            }
        }
        return new Dependent(
                new RowMutation(mutation.row(), changes), changes.size() == 1 ? answer : OptionalLong.empty());
    }

    private static long sum(long count, long amount) {
        try {
            return Math.addExact(count, amount);
        } catch (ArithmeticException tooMuch) {
            throw new MistakeException(
                    "the sum of " + count + " and " + amount + " is no counter, which has 64 bits",
                    "add less, or set it anew");
        }
    }

    private static long count(Optional<Cell> before) {
        return before.isEmpty() ? 0 : Counter.decode(before.get().value());
    }

    private static Bytes joined(Bytes before, Bytes more) {
        long length = (long) before.length() + more.length();
        checkGiven(
                length <= Limits.VALUE_BYTES,
                "an append would make a value of %d bytes, at most %d are taken",
                "begin another column",
                length,
                Limits.VALUE_BYTES);
        return new Output((int) length).raw(before).raw(more).toBytes();
    }

    /** What is written must be the newest version from then on, also where a client's clock is ahead of ours. */
    private static long timestamp(Optional<Cell> before, long nowMicros) {
        if (before.isEmpty() || before.get().timestamp() < nowMicros) {
            return Change.SERVER_TIME;
        }
        checkGiven(
                before.get().timestamp() < Long.MAX_VALUE,
                "the newest version has the last of all timestamps, and nothing can be written behind it",
                "delete that version");
        return before.get().timestamp() + 1;
    }
}
