package bt.simulation;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.Row;
import bt.testing.history.Addition;
import bt.testing.history.Additions.Seen;
import bt.testing.history.Operation.Result;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** What one client does to counters: adds amounts of which no two are alike, appends tags, and looks. One worker. */
final class Adder {
    private static final long MOST = 1L << 40;

    private final String client;
    private final Table table;
    private final Journal journal;
    private final RandomGenerator random;
    private int tags;

    Adder(String client, Table table, Journal journal, RandomGenerator random) {
        this.client = client;
        this.table = table;
        this.journal = journal;
        this.random = random;
    }

    /** Tells the new total. */
    private interface Call {
        long run() throws BigtableException;
    }

    void act() {
        Bytes row = Bytes.utf8(Layout.COUNTERS.get(random.nextInt(Layout.COUNTERS.size())));
        long amount = 1 + random.nextLong(MOST);
        switch (random.nextInt(4)) {
            case 0 -> look(row);
            case 1 -> append(row, client + "." + ++tags + ";");
            case 2 -> add(row, Layout.COUNT, Long.toString(amount), () -> table.increment(row, Layout.COUNT, amount));
            default -> add(row, Layout.COUNT, Long.toString(amount), () -> transact(row, amount));
        }
    }

    private void append(Bytes row, String tag) {
        add(row, Layout.TAGS, tag, () -> table.append(row, Layout.TAGS, Bytes.utf8(tag)));
    }

    /** The same as an increment, in another way. */
    private long transact(Bytes row, long amount) throws BigtableException {
        return table.transact(row, tx -> {
            long sum = tx.value(Layout.COUNT).map(Counter::decode).orElse(0L) + amount;
            tx.set(Layout.COUNT, Counter.encode(sum));
            return sum;
        });
    }

    private void add(Bytes row, ColumnKey column, String what, Call call) {
        String value = Layout.value(row.toUtf8(), column);
        int number = journal.begin(value, Addition.of(client, what, journal.nowNanos()));
        Addition begun = journal.additions(value).get(number);
        Addition ended;
        try {
            long total = call.run();
            ended = begun.done(total, journal.nowNanos());
        } catch (BigtableException failed) {
            journal.failed(row.toUtf8(), failed);
            Result told = failed.outcome() == Outcome.UNKNOWN ? Result.UNKNOWN : Result.FAILED;
            ended = begun.failed(told, journal.nowNanos());
        }
        journal.end(value, number, ended);
    }

    private void look(Bytes row) {
        long begun = journal.nowNanos();
        Optional<Row> found;
        try {
            found = table.read(row, new Filter.Latest(1));
        } catch (BigtableException unread) {
            journal.failed(row.toUtf8(), unread);
            return;
        }
        for (ColumnKey column : List.of(Layout.COUNT, Layout.TAGS)) {
            Optional<Bytes> value = found.flatMap(there -> there.value(column));
            long sum = value.map(bytes -> column.equals(Layout.COUNT) ? Counter.decode(bytes) : bytes.length())
                    .orElse(0L);
            journal.saw(Layout.value(row.toUtf8(), column), new Seen(client, sum, begun, journal.nowNanos()));
        }
    }
}
