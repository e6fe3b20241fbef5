package bt.main;

import bt.command.Command;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/** The list of commands in {@code bt help}, under their headings. */
final class CommandGroups {
    private CommandGroups() {}

    static String render(Help help) {
        StringBuilder text = new StringBuilder();
        for (Command.Group group : Command.Group.values()) {
            List<String> lines = help.commandSpec().subcommands().entrySet().stream()
                    .filter(entry ->
                            entry.getValue().getCommand() instanceof Command command && command.group() == group)
                    .map(entry -> line(entry.getKey(), entry.getValue()))
                    .sorted()
                    .toList();
            if (!lines.isEmpty()) {
                text.append(String.format("%n%s:%n%s", group.title(), String.join("", lines)));
            }
        }
        return text.toString();
    }

    private static String line(String name, CommandLine command) {
        String[] description = command.getCommandSpec().usageMessage().description();
        return String.format("  %-14s %s%n", name, description.length == 0 ? "" : description[0]);
    }
}
