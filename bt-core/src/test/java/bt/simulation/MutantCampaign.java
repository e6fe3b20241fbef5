package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether the simulator would find our mistakes: each mutant lives from seeds until it is found, in a process of its own.
 * {@code -Pmutants} runs it; {@code -Dmutant=N} that one alone.
 */
class MutantCampaign {
    private static final int SEEDS = 60;

    @TempDir
    Path directory;

    @Test
    void everyMutantIsCaught() throws InterruptedException {
        Integer only = Integer.getInteger("mutant");
        LongStream numbers = only == null ? LongStream.range(0, Mutants.ALL.size()) : LongStream.of(only);
        ConcurrentSkipListMap<Long, String> caught = new ConcurrentSkipListMap<>();
        List<Long> tried = new ArrayList<>();
        List<Campaign.Failure> survivors = Campaign.run(numbers.peek(tried::add), number -> {
            String name = Mutants.ALL.get((int) number).name();
            try {
                Optional<String> how = live((int) number);
                how.ifPresent(words -> caught.put(number, words));
                System.out.println("mutant " + number + ", which " + name + ": " + how.orElse("SURVIVED"));
                return how.isPresent() ? Optional.empty() : Optional.of(new AssertionError(name + " survived"));
            } catch (IOException | InterruptedException broken) {
                return Optional.of(broken);
            }
        });
        LastLine.write("mutants: " + caught.size() + " of " + tried.size() + " caught");
        assertThat(survivors).as("mutants that were not caught").isEmpty();
        assertThat(caught).as("mutants").isNotEmpty();
    }

    /** Who caught it; empty if nobody did. */
    private Optional<String> live(int number) throws IOException, InterruptedException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path classes = Files.createDirectories(directory.resolve("mutant-" + number));
        Mutants.ALL.get(number).compile(classes, classPath);
        Path said = directory.resolve("said-" + number);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-ea",
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes + System.getProperty("path.separator") + classPath,
                        MutantLife.class.getName(),
                        Integer.toString(number),
                        Integer.toString(SEEDS))
                .redirectOutput(said.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        try (var lines = Files.lines(said, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(MutantLife.CAUGHT)).findFirst();
        }
    }
}
