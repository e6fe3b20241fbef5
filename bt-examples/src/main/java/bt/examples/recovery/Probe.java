package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.Table;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A client of one tablet: every few milliseconds it writes the next number into its row and reads it back. It remembers how
 * long each took, and every number that was acknowledged. One worker; other threads ask.
 */
final class Probe {
    private static final ColumnKey COLUMN = ColumnKey.of(TrialTable.FAMILY, "number");
    private static final long PAUSE_MILLIS = 20;

    private final Table table;
    private final String row;
    private final Scheduler scheduler;
    private volatile List<Interval> operations = List.of();
    private final AtomicLong lastBegunNanos = new AtomicLong(Long.MIN_VALUE);

    private volatile long begunNanos = Long.MIN_VALUE;

    /** The worker's until it ends. */
    private final Set<Long> acknowledged = new TreeSet<>();

    private long lost;
    private volatile boolean stopped;

    Probe(Table table, String row, Scheduler scheduler) {
        this.table = table;
        this.row = row;
        this.scheduler = scheduler;
    }

    /** The worker: until {@link #stop}. */
    void run() throws InterruptedException {
        for (long number = 1; !stopped; number++) {
            long began = scheduler.clock().nanos();
            boolean answered = writeAndRead(number);
            Interval operation = new Interval(began, scheduler.clock().nanos());
            operations = with(operation);
            if (answered) {
                lastBegunNanos.set(began);
            }
            scheduler.pause(PAUSE_MILLIS);
        }
    }

    /** All that were refused since {@link #begin}, and of the others the longest: there are many. */
    private List<Interval> with(Interval next) {
        List<Interval> kept = new ArrayList<>(operations());
        kept.add(next);
        long longest = kept.stream()
                .mapToLong(Interval::millis)
                .filter(millis -> millis <= Refusals.REFUSED_MILLIS)
                .max()
                .orElse(0);
        kept.removeIf(each -> each.millis() < longest);
        return List.copyOf(kept);
    }

    private boolean writeAndRead(long number) {
        Bytes value = Bytes.utf8(row + "=" + number);
        try {
            table.apply(RowMutation.of(row).set(COLUMN, number, value).build());
            acknowledged.add(number);
            Optional<Row> read = table.read(Bytes.utf8(row), new Filter.Latest(1));
            if (!read.flatMap(found -> found.value(COLUMN)).equals(Optional.of(value))) {
                lost++;
            }
            return true;
        } catch (BigtableException failed) {
            // It was tried for a minute, and is refused all that time.
            return false;
        }
    }

    /** Forgets the operations so far. */
    void begin() {
        begunNanos = scheduler.clock().nanos();
    }

    /** Those since {@link #begin}: all that were refused, and of the others the longest. */
    List<Interval> operations() {
        return operations.stream().filter(each -> each.endNanos() >= begunNanos).toList();
    }

    /** When its latest operation that succeeded began. */
    long lastBegunNanos() {
        return lastBegunNanos.get();
    }

    void stop() {
        stopped = true;
    }

    /** Once its worker has ended: how many acknowledged writes were not read back, then or now. */
    long lostWrites() throws BigtableException {
        Set<Long> found = table.read(Bytes.utf8(row))
                .map(read -> read.cells().stream().map(Cell::timestamp).collect(Collectors.toSet()))
                .orElseGet(Set::of);
        return lost
                + acknowledged.stream()
                        .filter(number -> !found.contains(number))
                        .count();
    }
}
