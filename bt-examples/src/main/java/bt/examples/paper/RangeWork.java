package bt.examples.paper;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.client.BatchWriter;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Row;
import bt.model.RowMutation;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.jspecify.annotations.Nullable;

/**
 * What one caller does with the ranges that it is given. One thread; another may look at how far it is.
 *
 * <p>What is timed: of a single read or write the call; of a batch one row in {@value #ROWS_BETWEEN_TIMES}, from before it is
 * added, which may wait for room, until it is acknowledged; of a scan each page, from the page before (or the scan's beginning)
 * until it is here, with what the caller does to the rows of the one before.
 */
final class RangeWork {
    static final int DIGITS_OF_LATENCIES = 3;
    private static final int ROWS_BETWEEN_COUNTS = 100;

    /** A row costs a few microseconds, of which being told of each would be a part worth seeing. */
    private static final int ROWS_BETWEEN_TIMES = 64;

    private final Table table;
    private final Workload workload;
    private final long rows;
    private final SplittableRandom random = new SplittableRandom();

    /** Threads of a batch add to it too. */
    private Histogram latencies = new SynchronizedHistogram(DIGITS_OF_LATENCIES);

    private @Nullable BatchWriter batch;
    private long batched;
    private long pageBegan;
    private @Nullable CountDownLatch left;
    private int step = 1;
    private long nanosBetween;
    private long due;
    private volatile long operations;

    RangeWork(Table table, Workload workload, long rows) {
        this.table = table;
        this.workload = workload;
        this.rows = rows;
    }

    /**
     * Before its first range. Rows between two steps are left out. With nanoseconds between two operations each has its time,
     * and how long it takes counts from then, whenever it could begin; with 0 one begins when the one before has ended.
     */
    void begin(int newStep, long newNanosBetween, CountDownLatch whenDone) {
        step = newStep;
        nanosBetween = newNanosBetween;
        due = System.nanoTime() + (newNanosBetween == 0 ? 0 : random.nextLong(newNanosBetween));
        left = whenDone;
        latencies = new SynchronizedHistogram(DIGITS_OF_LATENCIES);
        batched = 0;
        operations = 0;
    }

    long operations() {
        return operations;
    }

    /** Those of all callers, in nanoseconds, as one word; after their last range. */
    static String latencies(List<RangeWork> callers) {
        Histogram all = new Histogram(DIGITS_OF_LATENCIES);
        callers.forEach(caller -> all.add(caller.latencies));
        ByteBuffer bytes = ByteBuffer.allocate(all.getNeededByteBufferCapacity());
        int length = all.encodeIntoByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    void run(long from, long to) throws BigtableException {
        if (workload.action() == Workload.Action.SCAN && step == 1) {
            scan(from, to);
            return;
        }
        for (long number = from; number < to; number += step) {
            long row = workload.keys() == Workload.Keys.RANDOM && step == 1 ? Rows.hashed(number, rows) : number;
            long began = nanosBetween == 0 ? System.nanoTime() : awaitNext();
            switch (workload.action()) {
                case WRITE -> table.apply(mutation(row));
                case BATCH -> addToBatch(row, began);
                // Of a scan by steps, which fills a cache.
                case READ, SCAN -> read(row);
            }
            if (workload.action() != Workload.Action.BATCH) {
                latencies.recordValue(System.nanoTime() - began);
            }
            done(1);
        }
    }

    /** When the next operation was to begin. */
    private long awaitNext() {
        long next = due;
        due += nanosBetween;
        for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        return next;
    }

    /** After the last range: what was batched is written too. */
    void end() throws BigtableException {
        if (batch != null) {
            batch.close();
            batch = null;
        }
        if (left != null) {
            left.countDown();
        }
    }

    private RowMutation mutation(long row) {
        return RowMutation.of(Rows.key(row))
                .set(Rows.COLUMN, Rows.value(row, random))
                .build();
    }

    /** Whether it failed, {@link #end} tells. */
    private void addToBatch(long row, long began) throws BigtableException {
        CompletableFuture<Long> written = batch().add(mutation(row));
        if (batched++ % ROWS_BETWEEN_TIMES == 0) {
            Histogram timed = latencies;
            var unused = written.thenRun(() -> timed.recordValue(System.nanoTime() - began));
        }
    }

    private BatchWriter batch() throws BigtableException {
        if (batch == null) {
            batch = table.batch();
        }
        return batch;
    }

    private void read(long number) throws BigtableException {
        Optional<Row> row = table.read(Rows.key(number));
        check(number, row.flatMap(found -> found.value(Rows.COLUMN)));
    }

    private void scan(long from, long to) throws BigtableException {
        long expected = from;
        pageBegan = System.nanoTime();
        try (Scanner scanner = table.scan(Scan.of(Rows.range(from, to))).onPage(this::timePage)) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                check(expected, Optional.of(row.get().cells().get(0).value()));
                expected++;
                if ((expected - from) % ROWS_BETWEEN_COUNTS == 0) {
                    done(ROWS_BETWEEN_COUNTS);
                }
            }
        }
        if (expected != to) {
            throw new CorruptionException("a scan from row " + from + " to " + to + " ended before row " + expected);
        }
        done((to - from) % ROWS_BETWEEN_COUNTS);
    }

    private void timePage() {
        long here = System.nanoTime();
        latencies.recordValue(here - pageBegan);
        pageBegan = here;
    }

    private void check(long number, Optional<Bytes> value) throws CorruptionException {
        if (value.isEmpty() || !Rows.isOf(number, value.get())) {
            throw new CorruptionException("table " + table.schema().name() + " row " + number + ": "
                    + value.map(found -> "a value of " + found.length() + " bytes that is not its own")
                            .orElse("no value"));
        }
    }

    // One thread writes it.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void done(long more) {
        operations += more;
    }
}
