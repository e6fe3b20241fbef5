package bt.examples.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.recovery.Trials.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    /** Many times what it should take: for a machine that does other things. */
    private static final long PATIENCE_MILLIS = 90_000;

    @TempDir
    private static Path directory;

    private static Trials trials;

    @BeforeAll
    static void startsTheProcesses() throws Exception {
        trials = Trials.start(directory.resolve("cluster"), LOG_BYTES);
    }

    @AfterAll
    static void endsThem() {
        trials.close();
    }

    /**
     * Without those in which nothing but the end of a session tells of a death: they take longest, and chaos has them. A master whose
     * thread hangs takes a minute to notice.
     */
    static List<String> names() {
        List<String> names = new ArrayList<>(Trials.names());
        names.removeAll(List.of("kill-server-unreported", "hang-server", "hang-master"));
        return names;
    }

    @ParameterizedTest
    @MethodSource("names")
    void nothingThatWasAcknowledgedIsLost(String name) throws Exception {
        Seen seen = trials.run(name);
        System.out.printf("%s: refused for %d ms%n", name, seen.refusedMillis());
        assertThat(seen.lostWrites()).isZero();
        assertThat(seen.refusedMillis()).isLessThan(PATIENCE_MILLIS);
    }
}
