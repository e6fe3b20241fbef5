package bt.main;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.OptionSpec;

/** The help of every command of a module's class path has examples, and the command understands them. */
public abstract class ExamplesContract {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    @ParameterizedTest
    @MethodSource("all")
    void helpShowsExamplesThatTheCommandUnderstands(String name) {
        List<String> examples = Stream.of(
                        command(name).getCommandSpec().usageMessage().footer())
                .map(line -> String.format(line).strip())
                .toList();
        assertThat(examples).isNotEmpty().allMatch(example -> example.startsWith("bt " + name));
        for (String example : examples) {
            assertThatCode(() -> root().parseArgs(words(example))).as(example).doesNotThrowAnyException();
        }
    }

    /** Or the help begins with a warning of picocli's for each: they are formats, in which a percent sign is written twice. */
    @ParameterizedTest
    @MethodSource("all")
    void descriptionsOfOptionsAreFormats(String name) {
        // What the option itself tells is formatted already.
        Stream<String> written = command(name).getCommandSpec().options().stream()
                .map(OptionSpec::userObject)
                .filter(Field.class::isInstance)
                .map(field -> ((Field) field).getAnnotation(CommandLine.Option.class))
                .filter(Objects::nonNull)
                .flatMap(option -> Stream.of(option.description()));
        assertThat(written)
                .allSatisfy(line -> assertThatCode(() -> String.format(line)).doesNotThrowAnyException());
    }

    static Stream<String> commands() {
        return leaves("", root());
    }

    /** Those too that only lead to others, but for {@code bt} itself. */
    static Stream<String> all() {
        return commands()
                .flatMap(name -> Stream.iterate(
                        name,
                        part -> !part.isEmpty(),
                        part -> part.contains(" ") ? part.substring(0, part.lastIndexOf(' ')) : ""))
                .distinct();
    }

    private static Stream<String> leaves(String name, CommandLine line) {
        if (line.getSubcommands().isEmpty()) {
            return Stream.of(name);
        }
        return line.getSubcommands().entrySet().stream()
                .filter(entry -> !(entry.getValue().getCommand() instanceof HelpCommand))
                .flatMap(entry -> leaves((name + " " + entry.getKey()).strip(), entry.getValue()));
    }

    private static CommandLine command(String name) {
        CommandLine line = root();
        for (String word : name.split(" ", -1)) {
            line = requireNonNull(line.getSubcommands().get(word));
        }
        return line;
    }

    private static CommandLine root() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        return new Main(nowhere, nowhere).commands();
    }

    /** What is behind a redirection is the shell's. */
    private static String[] words(String example) {
        return WORD.matcher(example.replaceFirst("^bt ", "").replaceFirst(" [<>] .*", ""))
                .results()
                .map(ExamplesContract::word)
                .toArray(String[]::new);
    }

    private static String word(MatchResult word) {
        return Stream.of(1, 2, 3)
                .map(word::group)
                .filter(text -> text != null)
                .findFirst()
                .orElseThrow();
    }
}
