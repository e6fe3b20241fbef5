package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Bloom;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tablets that grow split by themselves, METADATA's too, and are merged again, while clients write and read what they wrote. */
class SplitIT {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final int ROWS = 2_000;
    private static final int WRITERS = 2;

    /** Everything is too large soon. */
    private static final Map<String, String> SMALL = Map.of(
            "tabletserver.flush.bytes", "65536",
            "tabletserver.split.bytes", "200000",
            "tabletserver.metadata.split.bytes", "2048",
            "master.merge.bytes", "1024");

    @TempDir
    private Path directory;

    /** The number that each row holds. */
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

    private final AtomicBoolean enough = new AtomicBoolean();

    @Test
    void tablesAndMetadataSplitAndMergeUnderLoad() throws Exception {
        LocalCluster cluster = LocalCluster.start(directory, ServerSettings.read(SMALL), 0, reason -> {
            throw new AssertionError(reason);
        });
        ExecutorService clients = Executors.newFixedThreadPool(WRITERS);
        try (cluster) {
            Bigtable bigtable = cluster.bigtable();
            bigtable.admin().createTable(draft("t"), List.of());
            Table table = bigtable.table("t");
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int own = writer;
                writers.add(clients.submit(() -> write(table, own)));
            }
            await("the table has split", () -> table.tablets().size() >= 4);

            bigtable.admin().createTable(draft("many"), manySplitRows());
            await(
                    "METADATA has split",
                    () -> bigtable.table("METADATA").tablets().size() >= 3);

            bigtable.admin().mergeTablets("t", row(0), row(ROWS));
            bigtable.admin().splitTablet("t", row(ROWS / 2));
            enough.set(true);
            for (Future<?> writer : writers) {
                writer.get();
            }
            assertThat(table.tablets())
                    .anyMatch(tablet ->
                            tablet.range().start().equals(row(ROWS / 2).successor()));
            checkAll(table);
        } finally {
            enough.set(true);
            clients.shutdown();
        }
    }

    /** Its own rows, one after the other and by chance; each of its writes is read back now and then. */
    private Void write(Table table, int writer) throws Exception {
        Random random = new Random(writer);
        for (int i = 0; !enough.get(); i++) {
            int number = (i < ROWS / WRITERS ? i : random.nextInt(ROWS / WRITERS)) * WRITERS + writer;
            String key = row(number).toUtf8();
            table.apply(RowMutation.of(key).set(COLUMN, value(key, i)).build());
            acknowledged.put(key, i);
            if (random.nextInt(5) == 0) {
                check(key, table.read(row(number)));
            }
        }
        return null;
    }

    private void check(String key, Optional<Row> row) {
        assertThat(row.flatMap(found -> found.value(COLUMN)))
                .as(key)
                .contains(value(key, acknowledged.getOrDefault(key, -1)));
    }

    private void checkAll(Table table) throws Exception {
        int rows = 0;
        try (Scanner scanner = table.scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                check(row.get().key().toUtf8(), row);
                rows++;
            }
        }
        assertThat(rows).isEqualTo(acknowledged.size());
    }

    private static Bytes value(String key, int number) {
        return Bytes.utf8((key + "/" + number + " ").repeat(20));
    }

    private static Bytes row(int number) {
        return Bytes.utf8("row%06d".formatted(number));
    }

    private static List<Bytes> manySplitRows() {
        List<Bytes> rows = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            rows.add(row(i));
        }
        return rows;
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name)
                .group(new LocalityGroup("default", 4 << 10, "none", false, Bloom.ROW))
                .family("f", new GcRule.MaxVersions(1))
                .build();
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Condition condition) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(60))
                .until(condition::holds);
    }
}
