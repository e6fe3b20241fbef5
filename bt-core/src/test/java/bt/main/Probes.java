package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.connect.Connect;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Clients that write and read one row each, every few milliseconds, and remember how long an answer took at most. */
final class Probes implements AutoCloseable {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "probe");
    private static final long PAUSE_MILLIS = 20;

    private final Bigtable bigtable;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, Long> longest = new ConcurrentHashMap<>();
    private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    private Probes(Bigtable bigtable) {
        this.bigtable = bigtable;
    }

    /** One for each row of table {@code t}. */
    static Probes start(String at, List<String> rows) throws Exception {
        Probes probes = new Probes(Connect.to(at));
        for (String row : rows) {
            Thread thread = new Thread(() -> probes.run(row), "probe " + row);
            thread.start();
            probes.threads.add(thread);
        }
        return probes;
    }

    /** By row, since the last question. */
    Map<String, Long> longestMillis() {
        Map<String, Long> now = Map.copyOf(longest);
        longest.clear();
        return now;
    }

    /** Every write was there when it was read back. */
    void stopAndCheck() {
        close();
        assertThat(failures).isEmpty();
    }

    private void run(String row) {
        try {
            Table table = bigtable.table("t");
            for (int i = 0; !stopped; i++) {
                long began = System.nanoTime();
                Bytes value = Bytes.utf8(row + i);
                table.apply(RowMutation.of(row).set(COLUMN, i, value).build());
                assertThat(table.read(Bytes.utf8(row)).orElseThrow().value(COLUMN))
                        .contains(value);
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                longest.merge(row, millis, Math::max);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (Exception | AssertionError failed) {
            failures.put(row, failed);
        }
    }

    @Override
    public void close() {
        stopped = true;
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(70));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        bigtable.close();
    }
}
