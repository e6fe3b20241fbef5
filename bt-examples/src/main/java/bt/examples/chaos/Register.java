package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.client.Table;
import bt.model.Cell;
import bt.model.ColumnKey;
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
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A row of two columns that are always written together with the same value, which nobody else writes; with all that clients did
 * to it. Any thread.
 */
final class Register {
    static final String FAMILY = "f";
    private static final ColumnKey LEFT = ColumnKey.of(FAMILY, "left");

    /**
     * How far a timestamp may be from the clock of this machine: a server whose clock is a minute wrong gives none; and its error is not
     * measured all the time.
     */
    static final long MOST_OFF_MICROS = 70_000_000;

    private static final ColumnKey RIGHT = ColumnKey.of(FAMILY, "right");

    private final Table table;
    private final Bytes row;
    private final Clock clock;
    private final Availability availability;
    private final Tally tally;
    private final ConcurrentLinkedQueue<Operation> operations = new ConcurrentLinkedQueue<>();

    /** By value. A refused write has an entry too. */
    private final Map<Long, Write> writes = new ConcurrentHashMap<>();

    Register(Table table, String row, Clock clock, Availability availability, Tally tally) {
        this.table = table;
        this.row = Bytes.utf8(row);
        this.clock = clock;
        this.availability = availability;
        this.tally = tally;
    }

    private record Write(Answers.Outcome outcome, long timestamp, long beginNanos, long endNanos) {}

    /** Whether it was answered. */
    boolean write(long value) {
        Bytes bytes = Bytes.utf8(Long.toString(value));
        RowMutation mutation =
                RowMutation.of(row).set(LEFT, bytes).set(RIGHT, bytes).build();
        long[] timestamp = new long[1];
        long beginMicros = clock.micros();
        long begin = clock.nanos();
        Answers.Outcome outcome =
                Answers.write("write of " + this, () -> false, tally, () -> timestamp[0] = table.apply(mutation));
        long end = clock.nanos();
        availability.operation(begin, end);
        if (outcome == Answers.Outcome.APPLIED) {
            checkTime(value, timestamp[0], beginMicros);
        }
        writes.put(value, new Write(outcome, timestamp[0], begin, end));
        if (outcome != Answers.Outcome.REFUSED) {
            operations.add(new Operation(true, value, begin, end, outcome == Answers.Outcome.APPLIED));
        }
        return outcome == Answers.Outcome.APPLIED;
    }

    private void checkTime(long value, long timestamp, long beginMicros) {
        long late = timestamp - clock.micros();
        long early = beginMicros - timestamp;
        if (Math.max(late, early) > MOST_OFF_MICROS) {
            tally.anomaly(this + " value " + value + " was given the time " + timestamp + ", which is "
                    + Math.max(late, early) / 1_000_000 + " s off");
        }
    }

    /** Whether it was answered. */
    boolean read() {
        long begin = clock.nanos();
        try {
            Optional<Row> found = table.read(row, new Filter.Latest(1));
            operations.add(new Operation(false, valueOf(found), begin, clock.nanos(), true));
            return true;
        } catch (BigtableException failed) {
            Answers.complain("read of " + this, false, tally, failed);
            return false;
        } finally {
            availability.operation(begin, clock.nanos());
        }
    }

    private long valueOf(Optional<Row> found) {
        Optional<Bytes> left = found.flatMap(row -> row.value(LEFT));
        Optional<Bytes> right = found.flatMap(row -> row.value(RIGHT));
        if (!left.equals(right)) {
            tally.anomaly(this + " was read as " + left + " and " + right + ", which are written together");
        }
        return left.map(Register::number).orElse(Linearizability.NOTHING);
    }

    /** Once nobody works at it any more. */
    void check() throws BigtableException {
        if (!read()) {
            tally.anomaly(this + " cannot be read when all is well again");
        }
        Linearizability.violations(List.copyOf(operations))
                .forEach(violation -> tally.anomaly(this + " is not linearizable: " + violation));
        Optional<Row> all = table.read(row);
        checkVersions(versions(all, LEFT), "left");
        checkVersions(versions(all, RIGHT), "right");
        checkOrder(versions(all, LEFT));
    }

    private void checkVersions(Map<Long, List<Long>> versions, String column) {
        writes.forEach((value, write) -> {
            List<Long> found = versions.getOrDefault(value, List.of());
            String what = this + " " + column + " value " + value;
            switch (write.outcome()) {
                case APPLIED -> {
                    if (found.isEmpty()) {
                        tally.lost(what);
                    } else if (!found.equals(List.of(write.timestamp()))) {
                        tally.anomaly(what + " was written once at " + write.timestamp() + " and is at " + found);
                    }
                }
                case UNKNOWN -> {
                    if (found.size() > 1) {
                        tally.anomaly(what + " was written once and is at " + found);
                    }
                }
                case REFUSED -> {
                    if (!found.isEmpty()) {
                        tally.anomaly(what + " was refused as not applied and is at " + found);
                    }
                }
            }
        });
        versions.keySet().stream()
                .filter(value -> !writes.containsKey(value))
                .forEach(value -> tally.anomaly(this + " " + column + " has " + value + ", which nobody wrote"));
    }

    /** What was acknowledged before another write began is older, whatever servers' clocks say. */
    private void checkOrder(Map<Long, List<Long>> versions) {
        TreeMap<Long, Long> byTime = new TreeMap<>();
        versions.forEach((value, times) -> times.forEach(time -> byTime.put(time, value)));
        long lastBegin = Long.MIN_VALUE;
        for (Map.Entry<Long, Long> version : byTime.entrySet()) {
            Write write = writes.get(version.getValue());
            if (write != null && write.outcome() == Answers.Outcome.APPLIED) {
                if (write.endNanos() < lastBegin) {
                    tally.anomaly(this + " value " + version.getValue() + " at " + version.getKey()
                            + " is newer than one that was written after it");
                }
                lastBegin = Math.max(lastBegin, write.beginNanos());
            }
        }
    }

    /** The timestamps of each value. */
    private static Map<Long, List<Long>> versions(Optional<Row> all, ColumnKey column) {
        Map<Long, List<Long>> versions = new HashMap<>();
        for (Cell cell : all.map(Row::cells).orElse(List.of())) {
            if (cell.column().equals(column)) {
                versions.computeIfAbsent(number(cell.value()), value -> new ArrayList<>())
                        .add(cell.timestamp());
            }
        }
        return versions;
    }

    private static long number(Bytes value) {
        return Long.parseLong(value.toUtf8());
    }

    @Override
    public String toString() {
        return table.schema().name() + "/" + row.toUtf8();
    }
}
