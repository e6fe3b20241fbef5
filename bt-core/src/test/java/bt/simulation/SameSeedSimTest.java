package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure is worth something only if it can be repeated. */
class SameSeedSimTest {
    private static final long FIRST = 1;
    private static final long LAST = 3;
    private static final long MINUTES = 5;

    /** Hashes of identities that no other JVM has: of chance, and the same for all. Salts are another's anyway. */
    private static final List<String> HASHES = List.of("-XX:hashCode=0", "-XX:hashCode=2");

    @TempDir
    Path directory;

    @SeededTest(runs = 3)
    void theSameSeedGivesTheSameLife(RandomGenerator random) {
        long seed = random.nextLong();
        Life.Lived first = Life.live(seed, Script.drawn(seed));
        assertThat(Life.live(seed, Script.drawn(seed))).isEqualTo(first);
    }

    @Test
    void theSameSeedGivesTheSameLifeInAnyJvm() throws IOException, InterruptedException {
        List<Process> others = new ArrayList<>();
        try {
            for (String hashes : HASHES) {
                others.add(start(hashes));
            }
            List<String> here = SeedTraces.of(FIRST, LAST);
            for (int i = 0; i < HASHES.size(); i++) {
                assertThat(others.get(i).waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
                assertThat(Files.readAllLines(own(HASHES.get(i)).resolve(OwnJvm.SAID)))
                        .isEqualTo(here);
            }
        } finally {
            others.forEach(Process::destroyForcibly);
        }
    }

    private Process start(String hashes) throws IOException {
        // A file's name or a text in lower case is not to hang on where the machine stands either.
        List<String> options = List.of(
                "-XX:+UnlockExperimentalVMOptions",
                hashes,
                "-Duser.language=tr",
                "-Duser.timezone=Asia/Tokyo",
                "-cp",
                OwnJvm.classPath());
        return OwnJvm.start(
                Files.createDirectories(own(hashes)),
                options,
                SeedTraces.class,
                List.of(Long.toString(FIRST), Long.toString(LAST)));
    }

    private Path own(String hashes) {
        return directory.resolve(hashes.substring(hashes.indexOf('=') + 1));
    }
}
