package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Tablet servers with a master, on one scheduler: what was acknowledged is read, whoever dies. */
class TabletServerSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    @SeededTest(runs = 20)
    void acknowledgedWritesSurviveTheDeathOfTheirServer(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(10), () -> {
            long table = sim.createTable(DRAFT, "h", "p");
            Map<Bytes, Bytes> written = new TreeMap<>();
            for (int i = 0; i < 60; i++) {
                if (i == 30) {
                    sim.crashOneServer();
                }
                Bytes row = Bytes.utf8((char) ('a' + random.nextInt(26)) + "/" + random.nextInt(50));
                Bytes value = Bytes.wrap(new byte[random.nextInt(8_000)]);
                sim.put(table, row, value);
                written.put(row, value);
            }
            for (Map.Entry<Bytes, Bytes> entry : written.entrySet()) {
                assertThat(sim.read(table, entry.getKey())).containsExactly(entry.getValue());
            }
        });
    }

    @SeededTest(runs = 5)
    void aPlannedStopLeavesNothingToReplay(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20);
        sim.run(Duration.ofMinutes(10), () -> {
            long table = sim.createTable(DRAFT);
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("v"));
            sim.stopServer("server-1");
            sim.startServer("server-2");
            assertThat(sim.read(table, Bytes.utf8("r"))).containsExactly(Bytes.utf8("v"));
            assertThat(sim.replayedLogs()).isEmpty();
        });
    }
}
