package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.Table;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Moves amounts between the accounts of a row, if nobody else has done so since it was read: every transfer has the next number
 * and a name of its own in one column, which is the condition. Whenever the row is read its sum is what it was, and in the end its
 * transfers have the numbers from one on, each once, and all that were acknowledged are among them.
 */
final class TransferChore implements Chore {
    static final int ACCOUNTS = 4;
    static final long EACH = 1_000;
    private static final int MOST = 100;
    private static final int PAUSE_MILLIS = 100;
    private static final ColumnKey NUMBER = ColumnKey.of(Register.FAMILY, "number");

    private final String name;
    private final Table table;
    private final Bytes row;
    private final SplittableRandom random;
    private final Scheduler scheduler;
    private final Tally tally;

    /** By what stands in the column of numbers. */
    private final Map<String, Answers.Outcome> transfers = new HashMap<>();

    private long tried;

    TransferChore(String name, Table table, String row, SplittableRandom random, Scheduler scheduler, Tally tally) {
        this.name = name;
        this.table = table;
        this.row = Bytes.utf8(row);
        this.random = random;
        this.scheduler = scheduler;
        this.tally = tally;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void step() throws InterruptedException {
        try {
            Optional<Row> read = table.read(row, new Filter.Latest(1));
            transfer(amounts(read), read.flatMap(found -> found.value(NUMBER)));
        } catch (BigtableException failed) {
            Answers.complain(name, false, tally, failed);
        }
        scheduler.pause(random.nextInt(PAUSE_MILLIS));
    }

    private void transfer(long[] amounts, Optional<Bytes> before) {
        int from = random.nextInt(ACCOUNTS);
        int to = random.nextInt(ACCOUNTS);
        long amount = random.nextInt(MOST);
        amounts[from] -= amount;
        amounts[to] += amount;
        tried++;
        String next = (number(before) + 1) + ":" + name + "-" + tried;
        RowMutation.Builder mutation = RowMutation.of(row).set(NUMBER, Bytes.utf8(next));
        for (int i = 0; i < ACCOUNTS; i++) {
            mutation.set(account(i), Bytes.utf8(Long.toString(amounts[i])));
        }
        transfers.put(next, outcome(mutation.build(), before));
    }

    /** Applied unless somebody was faster. */
    private Answers.Outcome outcome(RowMutation mutation, Optional<Bytes> before) {
        try {
            if (table.apply(conditional(mutation, before)) != before.isPresent()) {
                return Answers.Outcome.REFUSED;
            }
            tally.acknowledged();
            return Answers.Outcome.APPLIED;
        } catch (BigtableException failed) {
            Answers.complain(name, false, tally, failed);
            boolean unknown = failed.outcome() == BigtableException.Outcome.UNKNOWN;
            if (unknown) {
                tally.unknown();
            }
            return unknown ? Answers.Outcome.UNKNOWN : Answers.Outcome.REFUSED;
        }
    }

    /** If the newest number is this, or there is none. */
    private static ConditionalMutation conditional(RowMutation mutation, Optional<Bytes> before) {
        Filter numbers = new Filter.Columns(List.of(NUMBER));
        if (before.isEmpty()) {
            return ConditionalMutation.unless(numbers, mutation);
        }
        Filter same = new Filter.Within(Filter.Part.VALUE, ByteRange.only(before.get()));
        return ConditionalMutation.when(new Filter.Chain(List.of(numbers, new Filter.Latest(1), same)), mutation);
    }

    private long[] amounts(Optional<Row> read) {
        long[] amounts = new long[ACCOUNTS];
        long sum = 0;
        for (int i = 0; i < ACCOUNTS; i++) {
            ColumnKey account = account(i);
            amounts[i] = read.flatMap(found -> found.value(account))
                    .map(value -> Long.parseLong(value.toUtf8()))
                    .orElse(EACH);
            sum += amounts[i];
        }
        if (sum != ACCOUNTS * EACH) {
            tally.anomaly(name + ": the sum of " + row + " is " + sum + ", not " + ACCOUNTS * EACH);
        }
        return amounts;
    }

    @Override
    public void check() throws BigtableException {
        Optional<Row> all = table.read(row);
        amounts(all);
        List<String> found = new ArrayList<>();
        for (Cell cell : all.map(Row::cells).orElse(List.of())) {
            if (cell.column().equals(NUMBER)) {
                found.add(cell.value().toUtf8());
            }
        }
        for (int i = 0; i < found.size(); i++) {
            // The newest comes first.
            if (number(Optional.of(Bytes.utf8(found.get(i)))) != found.size() - i) {
                tally.anomaly(
                        name + ": transfer " + found.get(i) + " of " + row + " stands at place " + (found.size() - i));
            }
        }
        Set<String> there = new HashSet<>(found);
        transfers.forEach((transfer, outcome) -> {
            if (outcome == Answers.Outcome.APPLIED && !there.contains(transfer)) {
                tally.lost(row + " transfer " + transfer);
            } else if (outcome == Answers.Outcome.REFUSED && there.contains(transfer)) {
                tally.anomaly(row + " transfer " + transfer + " was refused as not applied and is there");
            }
        });
    }

    private static ColumnKey account(int number) {
        return ColumnKey.of(Register.FAMILY, "account-" + number);
    }

    private static long number(Optional<Bytes> column) {
        return column.map(text -> Long.parseLong(text.toUtf8().split(":", 2)[0]))
                .orElse(0L);
    }
}
