package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Tablets that split while they are written, whoever dies in the middle: every row stays where it is found, once. */
class SplitSimTest {
    /** A split is some sixty steps of its servers: file operations and requests. */
    private static final int STEPS = 80;

    @SeededTest(runs = 20)
    void aServerThatDiesAtAnyStepOfASplitLosesNothing(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            run.sim.crashAtStep("server", 1 + random.nextInt(STEPS));
            run.sim.split(run.table, Optional.of(Bytes.utf8("m")));
            run.sim.startServer("server-after");
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(2);
        });
    }

    @SeededTest(runs = 5)
    void aMasterThatDiesDuringASplitIsNotMissed(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            run.sim.crashMaster();
            run.sim.crashAtStep("server", 1 + random.nextInt(2 * STEPS));
            run.sim.scheduler.start("late master", () -> {
                run.sim.scheduler.pause(random.nextLong(2_000));
                run.sim.startMaster();
            });
            run.sim.split(run.table, Optional.of(Bytes.utf8("m")));
            run.sim.startServer("server-after");
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(2);
        });
    }

    @SeededTest(runs = 5)
    void aTabletSplitsInTheMiddleAgainAndAgain(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            for (int i = 0; i < 3; i++) {
                run.sim.split(run.table, Optional.empty());
            }
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(4);
        });
    }

    @SeededTest(runs = 10)
    void tabletsOfMetadataSplitAsOthersDo(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            run.sim.split(run.table, Optional.of(Bytes.utf8("m")));
            run.sim.crashAtStep("server", 1 + random.nextInt(STEPS));
            run.sim.split(TableSchema.METADATA_ID, Optional.of(MetadataKeys.lookUp(run.table, Bytes.utf8("m"))));
            run.sim.split(run.table, Optional.of(Bytes.utf8("f")));
            run.sim.startServer("server-after");
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(3);
            assertThat(run.sim.tablets(TableSchema.METADATA_ID)).hasSize(3);
        });
    }

    @SeededTest(runs = 1)
    void aRefusalNamesTheTableAndTheTablet(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            Bytes end = Bytes.utf8("m");
            run.sim.split(run.table, Optional.of(end));
            String table = "table t: ";
            assertThatThrownBy(
                            () -> run.sim.askToSplit(run.sim.tablets(run.table).get(0), Optional.of(end)))
                    .isInstanceOf(RejectedException.class)
                    .hasMessage(table + "the tablet that ends with row m cannot be split at row m: it ends there, or"
                            + " begins behind it: name a row inside of it");
            assertThatThrownBy(() -> run.sim.askToSplit(
                            run.sim.tablets(run.table).get(1), Optional.of(Bytes.wrap(new byte[65_537]))))
                    .isInstanceOf(RejectedException.class)
                    .hasMessage(table + "the last tablet: a split row of 65537 bytes: name one of 1 to 65536");
            run.end();
        });
    }

    @SeededTest(runs = 1)
    void ofATabletOneSplitIsUnderWayAndOneWaits(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            MetadataRow tablet = run.sim.tablets(run.table).get(0);
            List<String> ends = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                run.sim.scheduler.start("asking " + i, () -> ends.add(endOfSplit(run, tablet)));
            }
            run.sim.scheduler.pause(60_000);
            assertThat(ends).hasSize(20).containsOnlyOnce("split").contains("OVERLOADED");
            assertThat(ends).filteredOn("OVERLOADED"::equals).hasSizeGreaterThan(15);
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(2);
        });
    }

    private static String endOfSplit(WrittenTable run, MetadataRow tablet) throws InterruptedException {
        try {
            run.sim.askToSplit(tablet, Optional.of(Bytes.utf8("m")));
            return "split";
        } catch (BigtableException refused) {
            return refused.kind().name();
        }
    }

    /** Whoever asks for it again and again would have a file written each time. */
    @Test
    void aRowToSplitAtThatIsWrongCostsNoFile() {
        SimServers sim = new SimServers(1, 1, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            TableSchema draft =
                    TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
            long table = sim.createTable(draft, "m");
            sim.put(table, Bytes.utf8("a"), Bytes.utf8("1"));
            sim.put(table, Bytes.utf8("d"), Bytes.utf8("2"));
            MetadataRow lower = sim.tablets(table).get(0);
            for (String row : List.of("m", "z")) {
                assertThatThrownBy(() -> sim.askToSplit(lower, Optional.of(Bytes.utf8(row))))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining("it ends there, or begins behind it");
            }
            assertThat(sim.tablets(table).get(0).state().getFiles()).isEmpty();
            sim.split(table, Optional.of(Bytes.utf8("b")));
            assertThat(sim.tablets(table).get(0).state().getFiles()).isNotEmpty();
        });
    }

    @Test
    void theRootTabletNeverSplits() {
        SimServers sim = new SimServers(1, 1, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            sim.awaitServed();
            List<MetadataRow> before = sim.tablets(TableSchema.METADATA_ID);
            // Where METADATA's own tablets are found.
            Bytes row = MetadataKeys.lookUp(TableSchema.METADATA_ID, Bytes.utf8("m"));
            for (Optional<Bytes> asked : List.of(Optional.of(row), Optional.<Bytes>empty())) {
                assertThatThrownBy(() -> sim.askToSplit(before.get(0), asked))
                        .isInstanceOf(RejectedException.class)
                        .hasMessage("the root tablet never splits: name a row of another tablet");
            }
            assertThat(sim.tablets(TableSchema.METADATA_ID)).isEqualTo(before);
        });
    }
}
