package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.model.Bloom;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Two servers, a table of one tablet, and somebody who writes it all the time. */
final class WrittenTable {
    private static final TableSchema DRAFT = TableSchema.draft("t")
            .group(new LocalityGroup("default", 1 << 10, "none", false, Bloom.ROW))
            .family("f", GcRule.KEEP_ALL)
            .build();

    private final RandomGenerator random;
    final SimServers sim;
    private final Map<Bytes, Deque<Bytes>> written = new TreeMap<>();
    private final CompletableFuture<Void> writer = new CompletableFuture<>();
    private volatile boolean enough;
    long table;

    WrittenTable(RandomGenerator random) {
        this.random = random;
        sim = new SimServers(random.nextLong(), 2, 1 << 14);
    }

    void begin() throws InterruptedException {
        table = sim.createTable(DRAFT);
        for (int i = 0; i < 40; i++) {
            write();
        }
        sim.scheduler.start("writer", () -> {
            try {
                while (!enough) {
                    write();
                    sim.scheduler.pause(random.nextLong(100));
                }
                writer.complete(null);
            } catch (RuntimeException | AssertionError failed) {
                writer.completeExceptionally(failed);
            }
        });
    }

    private void write() throws InterruptedException {
        Bytes row = Bytes.utf8((char) ('a' + random.nextInt(26)) + "/" + random.nextInt(3));
        Bytes value = Bytes.wrap(new byte[1 + random.nextInt(2_000)]);
        sim.put(table, row, value);
        written.computeIfAbsent(row, first -> new ArrayDeque<>()).addFirst(value);
    }

    /** What is in files and logs, after everybody has died, is what was written. */
    void end() throws InterruptedException {
        sim.scheduler.pause(random.nextLong(2_000));
        enough = true;
        try {
            sim.scheduler.await(writer, 600_000);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
        check();
        sim.steps = server -> {};
        sim.crashServers();
        sim.startServer("server-last");
        check();
    }

    void check() throws InterruptedException {
        for (Map.Entry<Bytes, Deque<Bytes>> entry : written.entrySet()) {
            assertThat(sim.read(table, entry.getKey())).containsExactlyElementsOf(entry.getValue());
        }
        sim.awaitServed();
        assertThat(sim.rows(table)).containsExactlyElementsOf(written.keySet());
        List<MetadataRow> tablets = sim.tablets(table);
        Optional<Bytes> end = Optional.empty();
        for (MetadataRow tablet : tablets) {
            assertThat(tablet.previousEndRow()).isEqualTo(end);
            assertThat(tablet.state().getIntents())
                    .noneMatch(intent -> !intent.getKind().equals("keep"));
            end = tablet.id().endRow();
        }
        assertThat(end).isEmpty();
    }
}
