package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.client.Table;
import bt.examples.chaos.Additions.Addition;
import bt.examples.chaos.Additions.Sight;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A counter that several clients add to and read; with all that they were told. Any thread. */
final class SharedCounter {
    static final ColumnKey COUNT = ColumnKey.of(Register.FAMILY, "count");

    private final Table table;
    private final Bytes row;
    private final Clock clock;
    private final Tally tally;
    private final ConcurrentLinkedQueue<Addition> additions = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Sight> sights = new ConcurrentLinkedQueue<>();

    SharedCounter(Table table, String row, Clock clock, Tally tally) {
        this.table = table;
        this.row = Bytes.utf8(row);
        this.clock = clock;
        this.tally = tally;
    }

    /** An amount that nobody else adds; whether it was answered. */
    boolean add(long amount) {
        long[] total = new long[1];
        long begin = clock.nanos();
        Answers.Outcome outcome = Answers.write(
                "addition to " + this, () -> false, tally, () -> total[0] = table.increment(row, COUNT, amount));
        additions.add(new Addition(amount, outcome, total[0], begin, clock.nanos()));
        return outcome == Answers.Outcome.APPLIED;
    }

    /** Whether it was answered. */
    boolean read() {
        long begin = clock.nanos();
        try {
            Optional<Bytes> value = table.read(row, new Filter.Latest(1)).flatMap(found -> found.value(COUNT));
            sights.add(new Sight(value.map(Counter::decode).orElse(0L), begin, clock.nanos()));
            return true;
        } catch (BigtableException failed) {
            Answers.complain("read of " + this, false, tally, failed);
            return false;
        }
    }

    /** Once nobody works at it any more. */
    void check() throws BigtableException {
        read();
        List<Long> totals = new ArrayList<>();
        for (Cell cell : table.read(row).map(Row::cells).orElse(List.of())) {
            if (cell.column().equals(COUNT)) {
                totals.add(Counter.decode(cell.value()));
            }
        }
        // The newest comes first.
        Collections.reverse(totals);
        Additions.Violations found = Additions.violations(List.copyOf(additions), List.copyOf(sights), totals);
        found.lost().forEach(what -> tally.lost(this + ": " + what));
        found.strange().forEach(what -> tally.anomaly(this + ": " + what));
    }

    @Override
    public String toString() {
        return table.schema().name() + "/" + row.toUtf8();
    }
}
