package bt.examples.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.cluster.Layout;
import bt.examples.recovery.Trials.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Most of what {@code bt bench recovery} lets happen, once each: real processes that are killed, drained and cut off under clients that check what they read. */
@Tag("alone")
class RecoveryIT {
    private static final long LOG_BYTES = 16 << 20;

    /** Three times the aim, in milliseconds: for a machine that does other things. Of which nothing is said there nothing is asked. */
    private static final Map<String, Long> BOUNDS = Map.ofEntries(
            Map.entry("kill-server", 45_000L),
            Map.entry("hang-commits", 54_000L),
            Map.entry("kill-root-server", 45_000L),
            Map.entry("kill-master", 3_000L),
            Map.entry("pause-master", 3_000L),
            Map.entry("drain", 3_000L),
            Map.entry("split", 3_000L),
            Map.entry("move-metadata", 3_000L),
            Map.entry("kill-datanode", 9_000L),
            Map.entry("hang-datanode", 9_000L),
            Map.entry("namenode-restart", 15_000L),
            Map.entry("zookeeper-outage", 63_000L));

    @TempDir
    private static Path directory;

    private static Trials trials;

    @BeforeAll
    static void startsTheProcesses() throws Exception {
        trials = Trials.start(directory.resolve("cluster"), LOG_BYTES, Layout.SHORT_LIVED);
    }

    @AfterAll
    static void endsThem() {
        trials.close();
    }

    /**
     * Without those in which nothing but the end of a session tells of a death: they take longest, and chaos has them. A master whose
     * thread hangs takes a minute to notice, however short sessions are, for a pass over a million tablets may compute for seconds and
     * the lock service be slow to answer; the simulator has it, where a minute costs nothing.
     */
    static List<String> names() {
        List<String> names = new ArrayList<>(Trials.names());
        names.removeAll(List.of("kill-server-unreported", "hang-server", "hang-root-server", "hang-master"));
        return names;
    }

    @ParameterizedTest
    @MethodSource("names")
    void nothingThatWasAcknowledgedIsLost(String name) throws Exception {
        Seen seen = trials.run(name);
        System.out.printf("%s: refused for %d ms%n", name, seen.refusedMillis());
        assertThat(seen.lostWrites()).as("%s: lost writes", name).isZero();
        assertThat(seen.refusedMillis()).as("%s: ms without an answer", name).isLessThan(BOUNDS.get(name));
    }
}
