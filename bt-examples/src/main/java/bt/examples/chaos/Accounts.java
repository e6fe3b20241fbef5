package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.Clock;
import bt.client.Table;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A row of accounts between which several clients, and nobody else, move amounts, if nobody has done so since it was read: every transfer
 * has the next number and a name of its own in one column, which is the condition. With all that they were told. Any thread.
 */
final class Accounts {
    static final int COUNT = 4;
    static final long EACH = 1_000;
    private static final ColumnKey NUMBER = ColumnKey.of(Register.FAMILY, "number");

    private final Table table;
    private final Bytes row;
    private final Clock clock;
    private final Tally tally;

    /** By what stands in the column of numbers. */
    private final Map<String, Transfer> transfers = new ConcurrentHashMap<>();

    Accounts(Table table, String row, Clock clock, Tally tally) {
        this.table = table;
        this.row = Bytes.utf8(row);
        this.clock = clock;
        this.tally = tally;
    }

    /** What somebody wants to be done. */
    record Order(String name, int from, int to, long amount) {}

    private enum Told {
        APPLIED,
        UNKNOWN,
        REFUSED,

        /** Refused too, because somebody else was faster. */
        BEATEN
    }

    private record Transfer(Told told, long beginNanos, long endNanos) {}

    /** Whether it was answered: done, or somebody else was faster. The name is none of another order. */
    boolean transfer(Order order) {
        Optional<Row> read;
        try {
            read = table.read(row, new Filter.Latest(1));
        } catch (BigtableException failed) {
            Answers.complain(order.name(), false, tally, failed);
            return false;
        }
        long[] amounts = amounts(read.map(Row::cells).orElse(List.of()));
        checkSum(amounts, "as " + order.name() + " read it");
        amounts[order.from()] -= order.amount();
        amounts[order.to()] += order.amount();
        Optional<Bytes> before = read.flatMap(found -> found.value(NUMBER));
        String next = (before.map(last -> number(last.toUtf8())).orElse(0L) + 1) + ":" + order.name();
        RowMutation.Builder mutation = RowMutation.of(row).set(NUMBER, Bytes.utf8(next));
        for (int i = 0; i < COUNT; i++) {
            mutation.set(account(i), Bytes.utf8(Long.toString(amounts[i])));
        }
        long begin = clock.nanos();
        Told told = tell(order.name(), mutation.build(), before);
        transfers.put(next, new Transfer(told, begin, clock.nanos()));
        return told == Told.APPLIED || told == Told.BEATEN;
    }

    private Told tell(String name, RowMutation mutation, Optional<Bytes> before) {
        try {
            if (table.apply(conditional(mutation, before)) != before.isPresent()) {
                tally.refused();
                return Told.BEATEN;
            }
            tally.acknowledged();
            return Told.APPLIED;
        } catch (BigtableException failed) {
            Answers.complain(name, false, tally, failed);
            if (failed.outcome() == BigtableException.Outcome.UNKNOWN) {
                tally.unknown();
                return Told.UNKNOWN;
            }
            tally.refused();
            return Told.REFUSED;
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

    /** Once nobody works at it any more. */
    void check() throws BigtableException {
        List<Cell> all = table.read(row).map(Row::cells).orElse(List.of());
        checkSums(all);
        List<String> found = new ArrayList<>();
        for (Cell cell : all) {
            if (cell.column().equals(NUMBER)) {
                found.add(cell.value().toUtf8());
            }
        }
        Map<Long, String> byNumber = new HashMap<>();
        for (int i = 0; i < found.size(); i++) {
            // The newest comes first.
            int place = found.size() - i;
            String transfer = found.get(i);
            byNumber.put(number(transfer), transfer);
            if (number(transfer) != place) {
                tally.anomaly(this + " transfer " + transfer + " stands at place " + place);
            }
            if (!transfers.containsKey(transfer)) {
                tally.anomaly(this + " has transfer " + transfer + ", which nobody made");
            }
        }
        transfers.forEach((transfer, made) -> check(transfer, made, byNumber));
    }

    private void check(String transfer, Transfer made, Map<Long, String> byNumber) {
        String what = this + " transfer " + transfer;
        Optional<String> there = Optional.ofNullable(byNumber.get(number(transfer)));
        boolean isThere = there.equals(Optional.of(transfer));
        switch (made.told()) {
            case APPLIED -> {
                if (!isThere) {
                    tally.lost(what);
                }
            }
            case UNKNOWN -> {}
            case REFUSED, BEATEN -> {
                if (isThere) {
                    tally.anomaly(what + " was refused as not applied and is there");
                } else if (made.told() == Told.BEATEN && !isBeaten(made, there)) {
                    tally.anomaly(what + " was refused, and nobody was faster");
                }
            }
        }
    }

    /** Whoever was faster has the number, and had begun before the other was told so. */
    private boolean isBeaten(Transfer made, Optional<String> there) {
        Optional<Transfer> faster = there.map(transfers::get);
        return faster.isPresent() && faster.get().beginNanos() <= made.endNanos();
    }

    /** After each transfer the sum was what it is. */
    private void checkSums(List<Cell> all) {
        TreeMap<Long, List<Cell>> byTime = new TreeMap<>();
        for (Cell cell : all) {
            byTime.computeIfAbsent(cell.timestamp(), time -> new ArrayList<>()).add(cell);
        }
        Map<ColumnKey, Cell> newest = new HashMap<>();
        byTime.forEach((time, cells) -> {
            cells.forEach(cell -> newest.put(cell.column(), cell));
            checkSum(amounts(newest.values()), "at " + time);
        });
    }

    private void checkSum(long[] amounts, String when) {
        long sum = 0;
        for (long amount : amounts) {
            sum += amount;
        }
        if (sum != COUNT * EACH) {
            tally.anomaly("the sum of " + this + " " + when + " is " + sum + ", not " + COUNT * EACH);
        }
    }

    /** One cell of each column. */
    private static long[] amounts(Iterable<Cell> cells) {
        long[] amounts = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            amounts[i] = EACH;
            for (Cell cell : cells) {
                if (cell.column().equals(account(i))) {
                    amounts[i] = Long.parseLong(cell.value().toUtf8());
                }
            }
        }
        return amounts;
    }

    private static ColumnKey account(int number) {
        return ColumnKey.of(Register.FAMILY, "account-" + number);
    }

    private static long number(String transfer) {
        return Long.parseLong(transfer.split(":", 2)[0]);
    }

    @Override
    public String toString() {
        return table.schema().name() + "/" + row.toUtf8();
    }
}
