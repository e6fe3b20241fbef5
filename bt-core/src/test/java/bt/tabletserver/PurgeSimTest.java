package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.tablet.OpenWrites;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A promise is kept by a cluster in which nothing else happens, and in which servers die. */
class PurgeSimTest {
    private static final Duration PROMISED = Duration.ofMillis(FamilySchema.MIN_PURGE_MICROS / 1000);

    @SeededTest(runs = 5)
    void whatWasDeletedIsInNoFileWhenThePromisedTimeIsOver(RandomGenerator random) {
        TableSchema draft = TableSchema.draft("t")
                .family("f", GcRule.KEEP_ALL)
                .purge("f", FamilySchema.MIN_PURGE_MICROS)
                .build();
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 20);
        sim.run(Duration.ofHours(2), () -> {
            long table = sim.createTable(draft);
            for (int i = 0; i < 10; i++) {
                sim.put(table, Bytes.utf8("r" + i), Bytes.utf8("secret"));
            }
            // By the death of its server what is in memory alone comes into files.
            for (int i = 3; sim.files(table).stream().allMatch(OpenWrites::isFile); i++) {
                crashOne(sim, "server-" + i);
            }
            for (int i = 0; i < 10; i++) {
                RowMutation.Builder deletion = RowMutation.of("r" + i);
                RowMutation either = random.nextBoolean()
                        ? deletion.deleteRow().build()
                        : deletion.deleteColumn(ColumnKey.of("f", "q")).build();
                assertThat(sim.write(table, either, Optional.empty()).failure()).isEmpty();
            }
            long waited = random.nextLong(PROMISED.toMillis() / 2);
            sim.scheduler.pause(waited);
            crashOne(sim, "server-last");
            sim.scheduler.pause(PROMISED.toMillis() - waited);
            assertThat(sim.files(table)).isEmpty();
        });
    }

    private static void crashOne(SimServers sim, String next) throws InterruptedException {
        sim.crashOneServer();
        sim.startServer(next);
        sim.awaitServed();
    }
}
