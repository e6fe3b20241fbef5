package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.record.Phase;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** A server tells METADATA that a tablet is split, and hears nothing of the tablet's row from then on, not what it says either. */
class SplitInDoubtSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final Bytes LOW = Bytes.utf8("a");
    private static final Bytes MIDDLE = Bytes.utf8("m");
    private static final Bytes HIGH = Bytes.utf8("z");
    private static final Bytes VALUE = Bytes.utf8("value");
    private static final Bytes LATER = Bytes.utf8("later");

    /** Before it is told, the server reads whether there was such a half before. */
    private boolean hasSplit;

    @SeededTest(runs = 3)
    void theTabletIsReadTakesNoWritesAndIsSplitWhenTheAnswerComes(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, LOW, VALUE);
            sim.put(table, HIGH, VALUE);
            // So that nothing else is to be told of it.
            sim.flush(table);
            String server = sim.serverOf(table);
            sim.losesAnswers = (asks, request) -> asks.equals(server) && isLost(table, request);
            sim.scheduler.start("splitter", () -> sim.split(table, Optional.of(MIDDLE)));
            sim.scheduler.pause(30_000);
            assertThat(sim.tablets(table).stream()
                            .map(MetadataRow::previousEndRow)
                            .toList())
                    .as("as METADATA has it")
                    .contains(Optional.of(MIDDLE));
            assertThat(sim.read(table, LOW)).containsExactly(VALUE);
            assertThat(sim.read(table, HIGH)).containsExactly(VALUE);
            CompletableFuture<Void> written = new CompletableFuture<>();
            sim.scheduler.start("writer", () -> {
                sim.put(table, HIGH, LATER);
                written.complete(null);
            });
            sim.scheduler.pause(30_000);
            assertThat(written).isNotDone();
            assertThat(sim.status(server).getTablets())
                    .as("who has not heard of halves")
                    .filteredOn(tablet -> tablet.getTableId() == table && tablet.getPhase() == Phase.SERVING)
                    .hasSize(1);

            sim.losesAnswers = (asks, request) -> false;
            sim.scheduler.pause(30_000);
            assertThat(written).isDone();
            assertThat(sim.tablets(table))
                    .hasSize(2)
                    .allMatch(row -> row.location().getPhase() == Phase.SERVING);
            assertThat(sim.read(table, LOW)).containsExactly(VALUE);
            assertThat(sim.read(table, HIGH)).containsExactly(LATER, VALUE);
        });
    }

    private boolean isLost(long table, Request request) {
        if (request instanceof Request.Mutate mutate && mutate.tableId() == TableSchema.METADATA_ID) {
            Bytes row = mutate.writes().get(0).mutation().row();
            hasSplit |= MetadataKeys.tables(table, table).contains(row);
            return MetadataKeys.tables(table, table).contains(row);
        }
        return hasSplit
                && request instanceof Request.Scan scan
                && scan.tableId() == TableSchema.METADATA_ID
                && MetadataKeys.tables(table, table).contains(scan.walk().next());
    }
}
