package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mutants go with the code as it is, so that their campaign, which runs on demand alone, finds them all. */
class MutantsTest {
    private static final String SOURCE = "bt/base/Bytes.java";

    @TempDir
    Path directory;

    @Test
    void whatIsRightIsInItsSourceJustOnce() {
        List<String> drifted = new ArrayList<>();
        for (Mutant mutant : Mutants.ALL) {
            try {
                assertThat(mutant.mutated()).contains(mutant.wrong());
            } catch (IOException | AssertionError wrong) {
                drifted.add(wrong.toString());
            }
        }
        assertThat(drifted).as("mutants whose code has changed").isEmpty();
    }

    /** As many at a time as have sources of their own: one by one they would take ten seconds. */
    @Test
    void allCompile() throws IOException {
        List<Mutant> left = new ArrayList<>(Mutants.ALL);
        int compiled = 0;
        while (!left.isEmpty()) {
            Map<String, Mutant> bySource = new LinkedHashMap<>();
            left.forEach(mutant -> bySource.putIfAbsent(mutant.source(), mutant));
            left.removeAll(bySource.values());
            Path classes = Files.createDirectories(directory.resolve("mutants-" + compiled));
            Mutant.compile(bySource.values(), classes, OwnJvm.classPath());
            compiled += bySource.size();
        }
        assertThat(compiled).isEqualTo(Mutants.ALL.size());
    }

    @Test
    void namesAreTheirOwn() {
        assertThat(Mutants.ALL).extracting(Mutant::name).doesNotHaveDuplicates();
    }

    @Test
    void whatIsNotThereOrThereTwiceIsTold() {
        assertDrifted(mutant("no line of ours", ""));
        assertDrifted(mutant("return", ""));
    }

    @Test
    void aMutantThatDoesNotCompileIsTold() {
        Mutant broken = mutant("public final class Bytes", "public final class Bytes broken");
        assertThatThrownBy(() -> Mutant.compile(List.of(broken), directory, OwnJvm.classPath()))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("of the mutants [a test's] one does not compile:\n")
                .hasMessageContaining("Bytes.java:");
    }

    private static void assertDrifted(Mutant mutant) {
        assertThatThrownBy(mutant::mutated)
                .isInstanceOf(AssertionError.class)
                .hasMessage("mutant \"a test's\": " + SOURCE + " has not just once: " + mutant.right());
    }

    private static Mutant mutant(String right, String wrong) {
        return new Mutant("a test's", SOURCE, right, wrong, Script.DEFAULT);
    }
}
