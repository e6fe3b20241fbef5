package bt.shell.terminal;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Where in the grammar of the commands a word stands.
 *
 * @param command the innermost command that the words before it name
 * @param argument what it is the value of; empty where it may be a command, and where nothing is expected
 * @param ordinal which of the argument's words it is, from 0: an option may have several
 * @param table the word that stands for the table, where one does
 */
record Place(CommandSpec command, Optional<ArgSpec> argument, int ordinal, Optional<String> table) {
    /** The place behind these words. */
    static Place after(CommandSpec root, List<String> words) {
        CommandSpec command = root;
        Optional<ArgSpec> open = Optional.empty();
        Optional<String> table = Optional.empty();
        int positions = 0;
        int taken = 0;
        boolean options = true;
        for (String word : words) {
            CommandLine below = command.subcommands().get(word);
            if (open.isPresent()) {
                taken++;
                if (taken == open.get().arity().min()) {
                    open = Optional.empty();
                }
            } else if (options && word.equals("--")) {
                options = false;
            } else if (options && word.startsWith("-")) {
                open = Optional.ofNullable((ArgSpec) command.findOption(word)).filter(Place::wantsValue);
                taken = 0;
            } else if (below != null && positions == 0) {
                command = below.getCommandSpec();
            } else {
                if (labelAt(command, positions).equals("TABLE")) {
                    table = Optional.of(word);
                }
                positions++;
            }
        }
        return open.isPresent()
                ? new Place(command, open, taken, table)
                : new Place(command, positional(command, positions), 0, table);
    }

    /** The word that help shows for the value: TABLE, FAMILY, SERVER and the like. */
    String label() {
        List<String> labels =
                List.of(argument.map(ArgSpec::paramLabel).orElse("").split(" ", -1));
        return labels.get(Math.min(ordinal, labels.size() - 1));
    }

    /** The same place where the word has the option's name, and its value behind it. */
    Place valueOf(String option) {
        return new Place(
                command,
                Optional.ofNullable((ArgSpec) command.findOption(option)).filter(Place::wantsValue),
                0,
                table);
    }

    /** Whether the word is values with commas between them. */
    boolean isList() {
        return argument.filter(list -> ",".equals(list.splitRegex())).isPresent();
    }

    /** Whether the word is the value of an option, and so no option itself. */
    boolean isOptionValue() {
        return argument.filter(OptionSpec.class::isInstance).isPresent();
    }

    private static boolean wantsValue(ArgSpec option) {
        return option.arity().min() > 0;
    }

    private static String labelAt(CommandSpec command, int position) {
        return positional(command, position).map(ArgSpec::paramLabel).orElse("");
    }

    private static Optional<ArgSpec> positional(CommandSpec command, int position) {
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            if (parameter.index().contains(position)) {
                return Optional.of(parameter);
            }
        }
        return Optional.empty();
    }
}
