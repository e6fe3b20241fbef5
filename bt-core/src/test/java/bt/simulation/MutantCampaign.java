package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.Asked;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether the simulator would find our mistakes: each mutant lives from seeds until it is found, in a process of its own. It
 * is found only by a life that has nothing wrong with it when it is lived without the mutant.
 * {@code -Pmutants} runs it; {@code -Dmutant=N} that one alone.
 */
class MutantCampaign {
    private static final int SEEDS = 60;

    /** For all of them; a mutant may have a loop that does not end. */
    private static final long LIVES_MINUTES = 10;

    /** Lives in which a mutant was found, and in which something is wrong without it too. */
    private final Queue<String> failedWithout = new ConcurrentLinkedQueue<>();

    @TempDir
    Path directory;

    @Test
    void everyMutantIsCaught() throws InterruptedException {
        int mutants = Mutants.ALL.size();
        OptionalLong only = Asked.ofJvm().number("mutant", 0, mutants - 1);
        LongStream numbers = only.isPresent() ? LongStream.of(only.getAsLong()) : LongStream.range(0, mutants);
        ConcurrentSkipListMap<Long, String> caught = new ConcurrentSkipListMap<>();
        List<Long> tried = new ArrayList<>();
        List<Campaign.Failure> survivors = Campaign.run(numbers.peek(tried::add), number -> {
            String name = Mutants.ALL.get((int) number).name();
            try {
                Optional<String> how = live((int) number);
                how.ifPresent(words -> caught.put(number, words));
                System.out.println("mutant " + number + ", which " + name + ": " + how.orElse("SURVIVED"));
                return how.isPresent() ? Optional.empty() : Optional.of(new AssertionError(name + " survived"));
            } catch (IOException | InterruptedException | AssertionError broken) {
                return Optional.of(broken);
            }
        });
        LastLine.write("mutants: " + caught.size() + " of " + tried.size() + " caught");
        assertThat(survivors).as("mutants that were not caught").isEmpty();
        // Lives that no other test has, and worth more than any mutant: what fails there is a mistake of ours.
        assertThat(failedWithout).as("lives that fail without a mutant").isEmpty();
        assertThat(caught).as("mutants").isNotEmpty();
    }

    /** Who caught it; empty if nobody did. */
    private Optional<String> live(int number) throws IOException, InterruptedException {
        String classPath = OwnJvm.classPath();
        Path classes = Files.createDirectories(own(number));
        Mutant mutant = Mutants.ALL.get(number);
        Mutant.compile(List.of(mutant), classes, classPath);
        classPath = classes + System.getProperty("path.separator") + classPath;
        Optional<Caught> caught = live(number, 1, classPath);
        while (caught.isPresent()) {
            Optional<Throwable> without = withoutMutant(caught.get().seed(), mutant.script());
            if (without.isEmpty()) {
                return caught.map(Caught::toString);
            }
            System.out.println("mutant " + number + ": " + caught.get() + ", but not for the mutant: without it "
                    + without.get().getMessage());
            failedWithout.add(mutant.name() + ", " + caught.get());
            caught = live(number, caught.get().seed() + 1, classPath);
        }
        return Optional.empty();
    }

    /** What is wrong with the same life when all our code is as it is. */
    private static Optional<Throwable> withoutMutant(long seed, Script script) {
        try {
            Life.Lived unused = Life.live(seed, script);
            return Optional.empty();
        } catch (AssertionError | RuntimeException wrong) {
            return Optional.of(wrong);
        }
    }

    /** A life in which somebody found something. */
    private record Caught(String who, long seed) {
        static Optional<Caught> of(String line) {
            Matcher said = MutantLife.CAUGHT.matcher(line);
            return said.matches()
                    ? Optional.of(new Caught(said.group(1), Long.parseLong(said.group(2))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return who + ", seed " + seed;
        }
    }

    /** A mutant's directory. */
    private Path own(int number) {
        return directory.resolve("mutant-" + number);
    }

    private Optional<Caught> live(int number, long from, String classPath) throws IOException, InterruptedException {
        Path own = own(number);
        Process process = OwnJvm.start(
                own,
                List.of("-cp", classPath),
                MutantLife.class,
                List.of(Integer.toString(number), Long.toString(from), Integer.toString(SEEDS)));
        try {
            if (!process.waitFor(LIVES_MINUTES, TimeUnit.MINUTES)) {
                System.out.println("mutant " + number + " does not end");
            }
        } finally {
            process.destroyForcibly();
        }
        try (var lines = Files.lines(own.resolve(OwnJvm.SAID), StandardCharsets.UTF_8)) {
            return lines.flatMap(line -> Caught.of(line).stream()).findFirst();
        }
    }
}
