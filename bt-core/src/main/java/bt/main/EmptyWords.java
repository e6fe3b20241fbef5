package bt.main;

import bt.command.MayBeEmpty;
import bt.command.UsageException;
import java.lang.reflect.AnnotatedElement;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Words of a command line that are there and say nothing. */
final class EmptyWords {
    private EmptyWords() {}

    /** Refuses the first one, of the words before the command too, that is not {@link MayBeEmpty}. */
    static void check(CommandLine.ParseResult parsed) throws UsageException {
        for (ArgSpec word : parsed.matchedArgs()) {
            if (isEmpty(word) && !mayBe(word)) {
                throw new UsageException(
                        name(word) + " is empty, as of a variable that is not set",
                        "say it" + (word.required() ? "" : ", or leave it out"));
            }
        }
        if (parsed.hasSubcommand()) {
            check(parsed.subcommand());
        }
    }

    /** As it was typed, or a part of it between commas. */
    private static boolean isEmpty(ArgSpec word) {
        return Stream.concat(word.originalStringValues().stream(), word.stringValues().stream())
                .anyMatch(String::isEmpty);
    }

    private static boolean mayBe(ArgSpec word) {
        return word.userObject() instanceof AnnotatedElement field && field.isAnnotationPresent(MayBeEmpty.class);
    }

    private static String name(ArgSpec word) {
        return word instanceof OptionSpec option ? option.longestName() : word.paramLabel();
    }
}
